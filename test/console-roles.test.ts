import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Role as AnyRole } from '../src/contract/role.ts'
import { type Catalog, openCatalog } from '../src/store/catalog/catalog.ts'
import { findBarriers } from './harness/barriers.ts'
import { hasChromium } from './harness/chromium.ts'
import { addColleague, callAs, firstOrganisation } from './harness/console-colleague.ts'
import { type ConsolePage, openConsoleAs, signOutOf, withoutRefusals } from './harness/console-page.ts'
import {
  ADMIN,
  type Credentials,
  makeTraffic,
  sendTraffic,
  startConsoleService,
} from './harness/console-service.ts'
import type { TestService } from './harness/service.ts'
import { waitFor } from './harness/wait.ts'

const DASHBOARDS = 'dashboard.dashboards.v1.DashboardsService'
const ORGS = 'dashboard.orgs.v1.OrgsService'

/** The roles of those who see a project. */
type Role = Exclude<AnyRole, 'guest'>

/** A page, and what there is to do on it. */
interface Place {
  /** Below the address of the project. */
  readonly place: string
  /** A heading for everybody who sees the page. */
  readonly ready: string | RegExp
  /** Names of buttons, and who has them. */
  readonly buttons: readonly (readonly [name: string | RegExp, who: readonly Role[]])[]
  /** Entries of the menu "More actions", and who has them. */
  readonly menu?: readonly (readonly [name: string, who: readonly Role[]])[]
}

const EVERYBODY: readonly Role[] = ['viewer', 'member', 'admin']
const MEMBERS: readonly Role[] = ['member', 'admin']
const ADMINS: readonly Role[] = ['admin']

const PLACES: readonly Place[] = [
  { place: 'live', ready: 'Live', buttons: [[/page_view/, EVERYBODY]] },
  { place: 'insights', ready: 'Insights', buttons: [['New insight', EVERYBODY]] },
  { place: 'insights?new=trends', ready: 'Trends', buttons: [['Add to dashboard', MEMBERS]] },
  {
    place: 'insights?dashboard=SHARED&tile=gone',
    ready: /Insights|Trends/,
    buttons: [['Save to tile', MEMBERS]],
  },
  { place: 'dashboards', ready: 'Dashboards', buttons: [['New dashboard', MEMBERS]] },
  {
    place: 'people/user%3Acustomer-3',
    ready: 'Timeline',
    buttons: [['More actions', EVERYBODY]],
    menu: [
      ['Copy ID', EVERYBODY],
      ['Export all data', MEMBERS],
      ['Delete person and data…', MEMBERS],
      ['Hide profile', MEMBERS],
    ],
  },
  { place: 'dashboards/SHARED', ready: 'Numbers', buttons: [['Share', MEMBERS]] },
  {
    place: 'settings',
    ready: 'Project',
    buttons: [
      ['Save', ADMINS],
      ['Delete project…', ADMINS],
    ],
  },
  {
    place: 'settings/keys',
    // Without a role for the page, the page names who can change the role.
    ready: 'Settings',
    buttons: [
      ['Create key', ADMINS],
      [/^Revoke /, ADMINS],
    ],
  },
  {
    place: 'settings/access',
    ready: 'Settings',
    buttons: [[/^Role of member@.* in this project/, ADMINS]],
  },
  {
    place: 'settings/goals',
    ready: 'Goals',
    buttons: [
      ['New goal', MEMBERS],
      ['Edit goal Purchase', MEMBERS],
      ['Delete goal Purchase', MEMBERS],
    ],
  },
  {
    place: 'alerts',
    ready: 'Alerts',
    buttons: [['Actions of Orders', MEMBERS]],
  },
  {
    place: 'reports',
    ready: 'Reports',
    buttons: [['Actions of Web', MEMBERS]],
  },
  {
    place: 'settings/channels',
    ready: 'Channels',
    buttons: [
      ['New channel', ADMINS],
      ['Actions of On call', ADMINS],
      ['On call', EVERYBODY],
    ],
  },
  { place: 'settings/data', ready: 'Bots', buttons: [['Save', ADMINS]] },
  {
    place: 'settings/organisation',
    ready: 'Projects of',
    buttons: [
      ['Save', ADMINS],
      ['Create project', ADMINS],
    ],
  },
  {
    place: 'settings/members',
    ready: 'Members',
    buttons: [
      ['Invite', ADMINS],
      [/^Remove /, ADMINS],
      [/^Role of member@/, ADMINS],
    ],
  },
  {
    place: 'settings/campaigns',
    ready: 'Campaigns',
    buttons: [
      ['New campaign', MEMBERS],
      ['Save', []],
      ['Cancel campaign: Later', MEMBERS],
      ['Edit Later', MEMBERS],
    ],
  },
  {
    place: 'settings/email',
    ready: 'Settings',
    buttons: [
      ['Remove provider', []],
      ['Save', ADMINS],
    ],
  },
  {
    place: 'settings/account',
    ready: 'Account',
    buttons: [
      ['Set password', EVERYBODY],
      ['Create organisation', EVERYBODY],
      [/^Leave /, EVERYBODY],
    ],
  },
]

describe.skipIf(!hasChromium())('roles', () => {
  let service: TestService
  let dashboardId: string
  let people: Readonly<Record<Role, Credentials>>
  const opened = new Map<Role, ConsolePage>()

  beforeAll(async () => {
    service = await startConsoleService()
    await sendTraffic(service, makeTraffic(Date.now()))
    const member = await addColleague(service, 'member')
    people = { admin: ADMIN, member, viewer: await addColleague(service, 'viewer') }
    const notificationData = Buffer.from('{"title": "Hello"}').toString('base64')
    const campaign = { name: 'Later', notificationData, scheduledTime: '2038-01-01T00:00:00Z' }
    await service.call('shared.campaigns.v1.CampaignService/Create', campaign)
    const goal = { name: 'Purchase', event: { kind: 'purchase' } }
    await service.call('millrace.web.v1.GoalsService/Create', goal)
    const channel = { name: 'On call', mail: { addresses: [ADMIN.email] } }
    await service.call('millrace.alerts.v1.ChannelsService/Create', channel)
    const alert = {
      name: 'Orders',
      spec: { insightType: 'INSIGHT_TYPE_TRENDS', events: [{ event: { kind: 'purchase' } }] },
      point: { series: {} },
      condition: { subject: 'SUBJECT_VALUE', operator: 'OPERATOR_ABOVE', threshold: 1 },
      cadence: 'ALERT_CADENCE_DAILY',
    }
    await service.call('millrace.alerts.v1.AlertsService/Create', { content: alert })
    const report = {
      name: 'Web',
      webOverview: {},
      schedule: { frequency: 'FREQUENCY_WEEKLY', hour: 8 },
      addresses: [ADMIN.email],
    }
    await service.call('millrace.reports.v1.ReportsService/Create', { report })
    const call = { method: `${DASHBOARDS}/Create`, body: { displayName: 'Numbers' }, projectId: '1' }
    const created = await callAs(service, ADMIN, call)
    dashboardId = (created.dashboard as { readonly id: string }).id
    for (const role of EVERYBODY) opened.set(role, await openConsoleAs(service, people[role]))
  })

  afterAll(async () => {
    for (const { browser } of opened.values()) await browser.close()
    await service?.destroy()
  })

  const openedAs = (role: Role): ConsolePage => {
    const found = opened.get(role)
    if (!found) throw new Error(`nobody is signed in as ${role}`)
    return found
  }

  const open = async (page: Page, { place, ready }: Pick<Place, 'place' | 'ready'>): Promise<void> => {
    const [base = ''] = /^.*\/p\/[^/]+/.exec(page.url()) ?? []
    await page.goto(`${base}/${place.replace('SHARED', dashboardId)}`)
    await page.getByRole('heading', { name: ready }).first().waitFor()
    await page.locator('.skeleton, .ui-skeleton-group').first().waitFor({ state: 'detached' })
  }

  describe.each(EVERYBODY)('as %s', (role) => {
    test.each(PLACES)('$place has the buttons of the role, and no other', async (place) => {
      const { page } = openedAs(role)
      await open(page, place)
      const seen = await Promise.all(
        place.buttons.map(async ([name]) => await page.getByRole('button', { name, exact: true }).count()),
      )
      expect(seen.map((count) => count > 0)).toEqual(place.buttons.map(([, who]) => who.includes(role)))
      if (!place.menu) return
      await page.getByRole('button', { name: 'More actions' }).click()
      await page.getByRole('menu').waitFor()
      const entries = await page.getByRole('menuitem').allTextContents()
      const permitted = place.menu.filter(([, who]) => who.includes(role)).map(([name]) => name)
      expect(entries.sort()).toEqual(permitted.sort())
      await page.keyboard.press('Escape')
    })

    test('no request that a page makes by itself is refused', async () => {
      const { requests, complaints } = openedAs(role)
      const calls = requests.filter((request) => request.method() === 'POST')
      const statuses = await Promise.all(
        calls.map(async (call) => ({ url: call.url(), status: (await call.response())?.status() })),
      )
      expect(statuses.length).toBeGreaterThan(30)
      expect(statuses.filter(({ status }) => status === 401 || status === 403)).toEqual([])
      expect(withoutRefusals(complaints)).toEqual([])
    })
  })

  test('an action that the role lost is refused with the request id', async () => {
    const { page } = openedAs('member')
    await open(page, { place: 'people/user%3Acustomer-6', ready: 'Timeline' })
    const orgId = await firstOrganisation(service)
    const { members } = await callAs(service, ADMIN, { method: `${ORGS}/ListMembers`, body: { orgId } })
    const { customerId } =
      (members as readonly { readonly email: string; readonly customerId: string }[]).find(
        ({ email }) => email === people.member.email,
      ) ?? {}
    const body = { orgId, customerId, role: 'ORG_ROLE_VIEWER' }
    await callAs(service, ADMIN, { method: `${ORGS}/UpdateMemberRole`, body })
    await page.getByRole('button', { name: 'More actions' }).click()
    await page.getByRole('menuitem', { name: 'Delete person and data' }).click()
    await page.getByLabel('Type the person’s ID to confirm').fill('customer-6')
    await page.getByRole('button', { name: 'Delete permanently' }).click()
    const alert = page.getByRole('alert')
    await alert.getByText('Your role does not allow this.').waitFor()
    await alert.getByRole('button', { name: 'Show details' }).click()
    await alert.getByText('viewer of the project may not').waitFor()
    await alert.getByText('Request').waitFor()
    await page.reload()
    await page.getByRole('heading', { name: 'Timeline' }).waitFor()
    await page.getByRole('button', { name: 'More actions' }).click()
    await page.getByRole('menuitem', { name: 'Copy ID' }).waitFor()
    expect(await page.getByRole('menuitem', { name: 'Delete person and data' }).count()).toBe(0)
  })

  test('a viewer reads an alert and a report, and can type in neither', async () => {
    const { page } = openedAs('viewer')
    for (const [place, name] of [
      ['alerts', 'Orders'],
      ['reports', 'Web'],
    ] as const) {
      await open(page, { place, ready: /^(Alerts|Reports)$/ })
      await page.getByRole('link', { name, exact: true }).click()
      await page.getByRole('heading', { name, exact: true }).waitFor()
      const fields = page.locator('fieldset').first()
      expect(await fields.getByRole('textbox').count()).toBeGreaterThan(1)
      expect(await fields.locator(':is(input, textarea, button):enabled').count()).toBe(0)
    }
  })

  test.each(['keys', 'email'])('a viewer sees who can change the role instead of %s', async (place) => {
    const { page } = openedAs('viewer')
    await open(page, { place: `settings/${place}`, ready: 'Settings' })
    await page.getByText('Your role cannot see this page').waitFor()
    await page.getByText(/^Admins of Default can change your role: ada@example\.org\.$/).waitFor()
    await open(page, { place: 'settings/general', ready: 'Project' })
    await page.getByText(/Admins of Default can change your role: ada@example\.org/).waitFor()
  })

  const roleOf = (page: Page, { email }: Credentials) =>
    page.getByRole('button', { name: new RegExp(`^Role of ${email}`) })
  const chooseRole = async (page: Page, who: Credentials, role: string): Promise<void> => {
    await roleOf(page, who).click()
    await page.getByRole('option', { name: role, exact: true }).click()
  }

  test('an admin pages through many members, and finds one', async () => {
    const { page } = openedAs('admin')
    const shown = async (): Promise<number> => await page.getByRole('table').first().getByRole('row').count()
    const catalog = openCatalog(service)
    const ids = await addMembers(catalog, await firstOrganisation(service), 120)
    try {
      await open(page, { place: 'settings/members', ready: 'Members' })
      await page.getByText('1–50', { exact: true }).waitFor()
      expect([await shown(), await findBarriers(page)]).toEqual([51, []])
      await page.getByRole('button', { name: 'Next page' }).click()
      await page.getByText('51–100', { exact: true }).waitFor()
      await page.getByRole('searchbox', { name: 'Search by name or address' }).fill('NUMBER 117')
      await page.getByText('number-117@example.org', { exact: true }).waitFor()
      await page.getByText('number-60@example.org', { exact: true }).waitFor({ state: 'detached' })
      expect(await shown()).toBe(2)
      await page.getByRole('searchbox').fill('nobody')
      await page.getByText('Nothing matches ‘nobody’.').waitFor()
      await open(page, { place: 'settings/access', ready: 'Access to Default' })
      await page.getByText('1–50', { exact: true }).waitFor()
      await open(page, { place: 'settings/audit', ready: 'Audit log' })
      await page.getByRole('button', { name: /^Who/ }).click()
      await page.getByRole('combobox').fill('number-118')
      await page.getByRole('option', { name: 'number-118@example.org' }).waitFor()
      await page.keyboard.press('Escape')
    } finally {
      await catalog.deleteFrom('memberships').where('customer_id', 'in', ids).execute()
      await catalog.destroy()
    }
  })

  test('an admin gives a role in the project, and takes it back', async () => {
    const { page } = openedAs('admin')
    const { page: theirs } = openedAs('viewer')
    const choose = async (role: string): Promise<void> => {
      await open(page, { place: 'settings/access', ready: 'Access to Default' })
      await page
        .getByRole('button', { name: new RegExp(`^Role of ${people.viewer.email} in this project`) })
        .click()
      await page.getByRole('option', { name: role, exact: true }).click()
      await page.getByText('Saved', { exact: true }).waitFor()
    }
    await open(page, { place: 'settings/access', ready: 'Access to Default' })
    expect(await findBarriers(page)).toEqual([])
    await choose('Admin')
    await open(theirs, { place: 'settings/keys', ready: 'API keys' })
    expect(await theirs.getByRole('button', { name: 'Create key', exact: true }).count()).toBe(1)
    await theirs.getByText('Your role in Default: Viewer · in Default: Admin').waitFor()
    await choose('Guest')
    await theirs.reload()
    await theirs.getByRole('heading', { name: 'No project yet' }).waitFor()
    await choose('As in the organisation')
    await theirs.goto(page.url())
    await theirs.getByText('Your role cannot see this page').waitFor()
  })

  /** A dashboard with one tile. */
  const addBoard = async (displayName: string): Promise<string> => {
    const spec = { insightType: 'INSIGHT_TYPE_TRENDS', events: [{ event: { kind: 'page_view' } }] }
    const body = { displayName, tiles: [{ displayName: 'Views', insight: { spec } }] }
    const { dashboard } = await callAs(service, ADMIN, {
      method: `${DASHBOARDS}/Upsert`,
      body,
      projectId: '1',
    })
    return (dashboard as { readonly id: string }).id
  }

  test('a guest sees the dashboards that are shared with them, and nothing else', async () => {
    const guest = await addColleague(service, 'guest')
    const id = await addBoard('For clients')
    const { page } = openedAs('admin')
    await open(page, { place: `dashboards/${id}`, ready: 'For clients' })
    await page.getByRole('button', { name: 'Share', exact: true }).click()
    const share = page.getByRole('switch', { name: guest.email })
    await share.click()
    await page.getByRole('switch', { name: 'Readers may choose the date range' }).waitFor()
    expect(await findBarriers(page)).toEqual([])
    const { page: theirs, browser, requests, complaints } = await openConsoleAs(service, guest)
    try {
      await theirs.getByRole('heading', { name: 'Shared with you' }).waitFor()
      expect(await findBarriers(theirs)).toEqual([])
      await theirs.getByRole('main').getByRole('link', { name: 'For clients' }).click()
      await theirs.getByRole('heading', { name: 'Views' }).waitFor()
      await theirs.locator('.tile canvas').first().waitFor()
      expect(await findBarriers(theirs)).toEqual([])
      const names = await theirs.getByRole('main').getByRole('button').allTextContents()
      // The range, and the arrows beside it.
      expect(names).toEqual(['', expect.stringContaining('Last 30 days'), ''])
      const called = requests.map((request) =>
        new URL(request.url()).pathname.split('/').slice(1, 3).join('/'),
      )
      expect([...new Set(called.filter((path) => path.includes('.v1.')))].sort()).toEqual([
        'dashboard.customers.v1.CustomersService/GetMe',
        'dashboard.orgs.v1.OrgsService/List',
        'dashboard.projects.v1.ProjectsService/BatchGet',
        'millrace.dashboards.v1.DashboardGuestsService/ListShared',
        'millrace.dashboards.v1.DashboardGuestsService/QueryShared',
      ])
      expect(complaints).toEqual([])
      await share.click()
      await page
        .getByRole('switch', { name: 'Readers may choose the date range' })
        .waitFor({ state: 'detached' })
      await theirs.reload()
      await theirs.getByText('This dashboard is not shared with you').waitFor()
      await theirs.goto(service.url)
      await theirs.getByRole('heading', { name: 'No project yet' }).waitFor()
      await theirs.getByRole('button', { name: 'Account menu' }).click()
      await theirs.getByRole('link', { name: 'Account settings' }).click()
      await theirs.getByRole('heading', { name: 'Account settings' }).waitFor()
      await theirs.getByRole('heading', { name: 'Personal access tokens' }).waitFor()
      expect(await findBarriers(theirs)).toEqual([])
      // The dashboard that is no longer shared was not found.
      expect(complaints).toHaveLength(1)
    } finally {
      await browser.close()
    }
  })

  test('an admin changes the role of a member, and removes them', async () => {
    const { page } = openedAs('admin')
    await open(page, { place: 'settings/members', ready: 'Members' })
    await chooseRole(page, people.viewer, 'Member')
    const { page: theirs } = openedAs('viewer')
    await page.getByText('Saved', { exact: true }).waitFor()
    await open(theirs, { place: 'dashboards', ready: 'Dashboards' })
    expect(await theirs.getByRole('button', { name: 'New dashboard', exact: true }).count()).toBe(1)
    await page.getByRole('button', { name: `Remove ${people.viewer.email}` }).click()
    await page.getByRole('button', { name: 'Remove member', exact: true }).click()
    await roleOf(page, people.viewer).waitFor({ state: 'detached' })
    await theirs.reload()
    await theirs.getByRole('heading', { name: 'No project yet' }).waitFor()
  })

  test('an admin who transfers the role gets the chosen role', async () => {
    const { page } = openedAs('admin')
    await open(page, { place: 'settings/members', ready: 'Members' })
    // The last admin cannot become a viewer.
    expect(await roleOf(page, ADMIN).count()).toBe(0)
    await chooseRole(page, people.member, 'Admin')
    await chooseRole(page, ADMIN, 'Viewer')
    await page.getByText('You will no longer be an admin of Default.').waitFor()
    await page.keyboard.press('Escape')
    await roleOf(page, ADMIN).getByText('Admin').waitFor()
    await chooseRole(page, ADMIN, 'Viewer')
    await page.getByRole('button', { name: 'Change my role', exact: true }).click()
    await page.getByText('Your role in Default: Viewer').waitFor()
    expect(await page.getByRole('button', { name: 'Invite', exact: true }).count()).toBe(0)
  })

  test("a second user on the same page requests nothing of the first user's project", async () => {
    const { page } = openedAs('admin')
    await open(page, { place: 'live', ready: 'Live' })
    await signOutOf(page)
    await page.getByLabel('Email').fill(people.viewer.email)
    await page.getByLabel('Password').fill(people.viewer.password)
    await page.getByRole('button', { name: 'Continue', exact: true }).click()
    await page.getByRole('heading', { name: 'No project yet' }).waitFor()
  })

  describe('the link of an invitation, for an account that exists', () => {
    let page: Page

    beforeAll(async () => {
      page = openedAs('viewer').page
    })

    /** Makes an organisation with a project, and invites somebody. No mail server is set, so that the admin gets the link. */
    const invite = async (name: string, { email }: Credentials): Promise<string> => {
      const { org } = await callAs(service, ADMIN, { method: `${ORGS}/Create`, body: { displayName: name } })
      const { id: orgId } = org as { readonly id: string }
      const project = { orgId, displayName: `Shop of ${name}` }
      await callAs(service, ADMIN, { method: 'dashboard.projects.v1.ProjectsService/Create', body: project })
      const body = { orgId, email, role: 'ORG_ROLE_VIEWER' }
      const { link } = await callAs(service, ADMIN, { method: `${ORGS}/InviteMember`, body })
      return String(link)
    }
    const proceed = async (on: Page): Promise<void> =>
      await on.getByRole('button', { name: 'Continue', exact: true }).click()
    const expectToHaveJoined = async (on: Page, name: string): Promise<void> => {
      await on.getByText(`You joined ${name}`).waitFor()
      await on.getByRole('button', { name: new RegExp(`^Switch project.*Shop of ${name}`) }).waitFor()
      expect(on.url()).toMatch(/\/p\/\d+\/overview/)
      expect(await on.evaluate("localStorage.getItem('millrace:invitation')")).toBeNull()
    }

    test('joins at once where the account is signed in', async () => {
      await page.goto(await invite('Second', people.viewer))
      await proceed(page)
      await expectToHaveJoined(page, 'Second')
    })

    test('leads somebody else to the invited account, and joins after the sign-in', async () => {
      await page.goto(await invite('Third', people.member))
      await proceed(page)
      await page.getByRole('alert').getByText(`You are signed in as ${people.viewer.email}.`).waitFor()
      expect(page.url()).not.toContain('token')
      expect(await findBarriers(page)).toEqual([])
      await page.getByRole('button', { name: 'Use another account' }).click()
      await page.getByText('You already have an account. Sign in to join.').waitFor()
      expect(await findBarriers(page)).toEqual([])
      await page.getByLabel('Email').fill(people.member.email)
      await page.getByLabel('Password').fill(people.member.password)
      await proceed(page)
      await expectToHaveJoined(page, 'Third')
    })

    test('joins in the tab that a link to sign in opens', async () => {
      const link = await invite('Fourth', people.viewer)
      await signOutOf(page)
      await page.goto(link)
      await proceed(page)
      await page.getByRole('button', { name: 'Sign in by email link' }).click()
      await page.getByLabel('Email').fill(people.viewer.email)
      await page.getByRole('button', { name: 'Send link' }).click()
      const signInLink = await waitFor(
        'the link',
        () => /Your sign-in link.*(http[^\s"\\]*\/sign-in\?token=[\w-]+)/.exec(service.output.stderr)?.[1],
      )
      const tab = await openedAs('viewer').browser.context.newPage()
      await tab.goto(signInLink)
      await proceed(tab)
      await expectToHaveJoined(tab, 'Fourth')
    })
  })
})

/** Adds members who have joined last. Returns their ids. */
async function addMembers(
  catalog: Catalog,
  organisationId: string,
  count: number,
): Promise<readonly string[]> {
  const numbers = Array.from({ length: count }, (_, index) => index)
  const accounts = numbers.map((number) => ({
    id: `many-${number}`,
    email: `number-${number}@example.org`,
    display_name: `Number ${number}`,
    password_hash: null,
    email_verified: 1,
    created_ms: 1,
  }))
  await catalog.insertInto('customers').values(accounts).execute()
  const joinedMs = Date.now()
  const memberships = accounts.map(({ id }, index) => ({
    organisation_id: organisationId,
    customer_id: id,
    role: 'viewer' as const,
    created_ms: joinedMs + index,
  }))
  await catalog.insertInto('memberships').values(memberships).execute()
  return accounts.map(({ id }) => id)
}
