import { expect, test } from 'vitest'
import { SoftPasskey } from '../../../test/harness/soft-passkey.ts'
import { asCustomerId } from '../../contract/ids.ts'
import { checkCreation, creationOptions } from './webauthn.ts'

const relyingParty = { id: 'localhost', origin: 'http://localhost:3000' }
const challenge = Buffer.alloc(32, 7).toString('base64url')
const account = { id: asCustomerId('1b4e28ba-2fa1-4d2f-883f-0016d3cca427'), email: 'ada@example.org' }
const expected = { relyingParty, isChallenge: (sent: string) => sent === challenge }

async function respond(format: string, statement: ReadonlyMap<string, unknown>): Promise<string> {
  const options = await creationOptions({ relyingParty, challenge, passkeys: [] }, account)
  return new SoftPasskey(relyingParty.origin).create(options, { attestation: [format, statement] })
}

test.each(['packed', 'fido-u2f', 'tpm', 'android-key', 'android-safetynet', 'apple', 'of tomorrow'])(
  'a certificate of the format %s is not looked at, so that no caller chooses an address to ask for its revocation',
  async (format) => {
    const statement = new Map<string, unknown>([['x5c', [new Uint8Array(8)]]])
    const checked = checkCreation(await respond(format, statement), expected)
    await expect(checked).rejects.toThrow(`the attestation has the format ${format}`)
  },
)

test('what an authenticator claims about its transports is kept as far as browsers know them', async () => {
  const { found, challenge: sent } = await checkCreation(await respond('none', new Map()), expected)
  expect(found).toMatchObject({ rpId: 'localhost', signCount: 0, transports: ['hybrid', 'internal'] })
  expect(sent).toBe(challenge)
})
