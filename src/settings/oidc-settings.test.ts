import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { describeSettings, parseSettings } from './settings.ts'

const ORGANISATION = '7b0c2a4e-0d3f-4c55-9f58-0a3f4e8f2f11'
const REQUIRED = {
  SERVICE_OIDC_KC_ISSUER: 'https://login.example.org/realms/main',
  SERVICE_OIDC_KC_CLIENT_ID: 'millrace',
}

test('a provider needs an issuer and a client id; the others have defaults', () => {
  expect(parseSettings({ ...REQUIRED, SERVICE_OIDC_COMPANY_SSO_ISSUER: '' })).toMatchObject({
    ok: true,
    value: {
      oidcProviders: [
        {
          id: 'kc',
          issuer: 'https://login.example.org/realms/main',
          clientId: 'millrace',
          clientSecret: undefined,
          label: 'Kc',
          scopes: ['openid', 'email', 'profile'],
          groupsClaim: 'groups',
          domains: [],
          groupRules: [],
        },
      ],
    },
  })
})

test('several providers are in the order of their ids, each with its own settings', () => {
  const parsed = parseSettings({
    ...REQUIRED,
    SERVICE_OIDC_KC_DOMAINS: 'Example.org, example.com',
    SERVICE_OIDC_KC_ROLES: `${ORGANISATION}:/team: a=b=member; ${ORGANISATION}:*=viewer\n\n`,
    SERVICE_OIDC_COMPANY_SSO_ISSUER: 'http://127.0.0.1:8080',
    SERVICE_OIDC_COMPANY_SSO_CLIENT_ID: 'm',
    SERVICE_OIDC_COMPANY_SSO_SCOPES: 'openid groups',
  })
  expect(parsed).toMatchObject({
    ok: true,
    value: {
      oidcProviders: [
        { id: 'company_sso', label: 'Company Sso', scopes: ['openid', 'groups'] },
        {
          id: 'kc',
          domains: ['example.org', 'example.com'],
          groupRules: [
            { organisationId: ORGANISATION, group: '/team: a=b', role: 'member' },
            { organisationId: ORGANISATION, group: '*', role: 'viewer' },
          ],
        },
      ],
    },
  })
})

test('a secret is read from its file, and is in no description', () => {
  const folder = mkdtempSync(join(tmpdir(), 'settings-'))
  const path = join(folder, 'secret')
  writeFileSync(path, 'very secret\n')
  const parsed = parseSettings({ ...REQUIRED, SERVICE_OIDC_KC_CLIENT_SECRET_FILE: path })
  rmSync(folder, { recursive: true })
  expect(parsed).toMatchObject({ ok: true, value: { oidcProviders: [{ clientSecret: 'very secret' }] } })
  if (!parsed.ok) throw new Error(parsed.error)
  const rows = describeSettings(parsed.value)
  expect(JSON.stringify(rows)).not.toContain('very secret')
  expect(rows.find(({ name }) => name === 'SERVICE_OIDC_<NAME>_ISSUER')?.value).toBe(
    'kc: https://login.example.org/realms/main',
  )
})

test.each([
  [{ SERVICE_OIDC_KC_ISSUER: 'https://login.example.org' }, 'SERVICE_OIDC_KC_CLIENT_ID belong together'],
  [{ SERVICE_OIDC_KC_CLIENT_ID: 'm' }, 'SERVICE_OIDC_KC_ISSUER'],
  [{ ...REQUIRED, SERVICE_OIDC_KC_ISSUER: 'http://login.example.org' }, 'SERVICE_OIDC_KC_ISSUER must be'],
  [
    { ...REQUIRED, SERVICE_OIDC_KC_ISSUER: 'https://login.example.org?x=1' },
    'SERVICE_OIDC_KC_ISSUER must be',
  ],
  [{ ...REQUIRED, SERVICE_OIDC_KC_ISSUER: 'https://login.microsoftonline.com/common/v2.0' }, 'of one tenant'],
  [{ ...REQUIRED, SERVICE_OIDC_KC_SCOPES: 'email' }, 'SERVICE_OIDC_KC_SCOPES must be'],
  [{ ...REQUIRED, SERVICE_OIDC_KC_DOMAINS: 'a@example.org' }, 'SERVICE_OIDC_KC_DOMAINS must be'],
  [{ ...REQUIRED, SERVICE_OIDC_KC_ROLES: `${ORGANISATION}:a=owner` }, 'SERVICE_OIDC_KC_ROLES must be'],
  [{ ...REQUIRED, SERVICE_OIDC_KC_ROLES: 'Acme:a=member' }, 'SERVICE_OIDC_KC_ROLES must be'],
  [{ SERVICE_OIDC_ISSUER: 'https://login.example.org' }, 'SERVICE_OIDC_ISSUER is not a setting'],
  [{ SERVICE_OIDC_KC_SECRET: 's' }, 'SERVICE_OIDC_KC_SECRET is not a setting'],
  [{ SERVICE_OIDC_KC_CLIENT_SECRET_FILE: '/nowhere/secret' }, 'cannot be read'],
  [
    {
      ...REQUIRED,
      SERVICE_OIDC_B_ISSUER: REQUIRED.SERVICE_OIDC_KC_ISSUER,
      SERVICE_OIDC_B_CLIENT_ID: 'm',
    },
    'is the issuer of another provider',
  ],
  [
    {
      ...REQUIRED,
      SERVICE_OIDC_KC_DOMAINS: 'example.org',
      SERVICE_OIDC_B_ISSUER: 'https://b.example',
      SERVICE_OIDC_B_CLIENT_ID: 'm',
      SERVICE_OIDC_B_DOMAINS: 'example.org',
    },
    'belongs to another provider already',
  ],
])('%o is rejected', (environment, message) => {
  const parsed = parseSettings(environment)
  expect(parsed).toMatchObject({ ok: false, error: expect.stringContaining(message) })
})
