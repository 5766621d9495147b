import { describe, expect, test } from 'vitest'
import { messages as de } from './de/index.ts'
import { knownNames as deNames } from './de/known-names.ts'
import { alerts } from './en/alerts.ts'
import { assistants } from './en/assistants.ts'
import { audit } from './en/audit.ts'
import { channels } from './en/channels.ts'
import { cohorts } from './en/cohorts.ts'
import { dashboards } from './en/dashboards.ts'
import { dictionary } from './en/dictionary.ts'
import { failures } from './en/failures.ts'
import { firstRun } from './en/first-run.ts'
import { messages as firstEnglish } from './en/index.ts'
import { insights } from './en/insights.ts'
import { knownNames as enNames } from './en/known-names.ts'
import { library } from './en/library.ts'
import { live } from './en/live.ts'
import { passkey } from './en/passkey.ts'
import { people } from './en/people.ts'
import { peopleCharts } from './en/people-charts.ts'
import { picker } from './en/picker.ts'
import { reports } from './en/reports.ts'
import { secondFactor } from './en/second-factor.ts'
import { sessions } from './en/sessions.ts'
import { settings } from './en/settings.ts'
import { signIn } from './en/sign-in.ts'
import { warnings } from './en/warnings.ts'
import { messages as es } from './es/index.ts'
import { knownNames as esNames } from './es/known-names.ts'
import { messages as fr } from './fr/index.ts'
import { knownNames as frNames } from './fr/known-names.ts'
import { messages as ja } from './ja/index.ts'
import { knownNames as jaNames } from './ja/known-names.ts'
import { LANGUAGES, pickLanguage } from './language.ts'
import { formatMessage, type Message } from './messages.ts'

/** Names of other services and of formats. */
const BRANDS = ['Resend', 'Firebase', 'Google', 'JSON', 'Slack', 'Webhook', 'SDK'] as const

/** Words that another language writes as English does, and names. */
const SAME = {
  de: [
    'Person',
    'Name',
    'Live',
    'Dashboards',
    'Dashboard',
    'System',
    'Filter',
    'Hostname',
    'Region',
    'Browser',
    'Code',
    'Text',
    'Server',
    'optional',
    'Minute',
    'Minute {number}',
    'Organisation',
    'Passkey',
    'Passkeys',
    '{label} (optional)',
    ...BRANDS,
    'Tablet',
    'Wearable',
    'Retention',
    'Referrer',
    'Version {number}',
    'Port',
    'Host',
    'Status',
    'Import',
    'Version',
    'Website',
    'Link',
    'IDs',
    'in',
  ],
  es: ['Series', 'Total', 'General', 'Wearable', ...BRANDS],
  fr: [
    'Code',
    'Conditions',
    'Condition',
    'Condition {letter}',
    'Description',
    'Pages',
    'Continent',
    'Port',
    'Action',
    'Actions',
    'Invitation',
    'Notification',
    'Version',
    'Session {id}',
    'Sections',
    'Date',
    'Page',
    'Source',
    'Sources',
    'Type',
    'sessions',
    '{count} session',
    '{count} sessions',
    'Sessions',
    'Session',
    'Total',
    'Minute',
    'Minute {number}',
    'Organisation',
    'Session',
    ...BRANDS,
  ],
  ja: [...BRANDS],
} as const satisfies Record<string, readonly string[]>

const TRANSLATIONS: Readonly<Record<keyof typeof SAME, Readonly<Record<string, Message>>>> = {
  de: { ...de, ...deNames },
  es: { ...es, ...esNames },
  fr: { ...fr, ...frNames },
  ja: { ...ja, ...jaNames },
}
const SOURCE: Readonly<Record<string, Message>> = {
  ...firstEnglish,
  ...alerts,
  ...assistants,
  ...audit,
  ...channels,
  ...cohorts,
  ...dashboards,
  ...dictionary,
  ...failures,
  ...firstRun,
  ...passkey,
  ...secondFactor,
  ...sessions,
  ...settings,
  ...insights,
  ...picker,
  ...library,
  ...live,
  ...people,
  ...peopleCharts,
  ...reports,
  ...signIn,
  ...warnings,
  ...enNames,
}

function textsOf(message: Message | undefined): readonly string[] {
  if (message === undefined) return []
  return typeof message === 'string' ? [message] : Object.values(message)
}

function placeholdersOf(text: string): string {
  return [...text.matchAll(/\{(\w+)\}/g)]
    .map(([, name]) => name)
    .sort()
    .join()
}

describe.each(Object.entries(TRANSLATIONS))('the messages in %s', (language, messages) => {
  test('have the keys of the English ones, each with a text', () => {
    expect(Object.keys(messages).sort()).toEqual(Object.keys(SOURCE).sort())
    expect(
      Object.keys(messages).filter((key) => textsOf(messages[key]).some((text) => text.trim() === '')),
    ).toEqual([])
  })

  test('have the placeholders of the English ones, in every plural form', () => {
    const [differing, wanted] = [
      new Map<string, string>(),
      (key: string) => placeholdersOf(textsOf(SOURCE[key]).at(-1) ?? ''),
    ]
    for (const [key, message] of Object.entries(messages))
      for (const text of textsOf(message)) if (placeholdersOf(text) !== wanted(key)) differing.set(key, text)
    expect(differing).toEqual(new Map())
  })

  test('have the plural forms of the language', () => {
    const forms = new Intl.PluralRules(language).resolvedOptions().pluralCategories
    const incomplete = Object.entries(messages).filter(
      ([, message]) => typeof message !== 'string' && forms.some((form) => message[form] === undefined),
    )
    expect(incomplete).toEqual([])
  })

  test('contain no English that was left over', () => {
    const same: readonly string[] = SAME[language as keyof typeof SAME]
    const english = Object.entries(messages).flatMap(([key, message]) =>
      textsOf(message).filter(
        (text) => /\p{L}{3}/u.test(text.replaceAll(/\{\w+\}/g, '')) && textsOf(SOURCE[key]).includes(text),
      ),
    )
    expect(english.filter((text) => !same.includes(text) && !/^[{}\w]+ online$/.test(text))).toEqual([])
  })
})

test('the console has a language for each of its message files', () => {
  expect(Object.keys(LANGUAGES).sort()).toEqual(['en', ...Object.keys(TRANSLATIONS)].sort())
})

test.each<[text: string, message: Message, values: Record<string, string | number>, locale: string]>([
  ['1 person', { one: '{count} person', other: '{count} people' }, { count: 1 }, 'en'],
  ['12,000 people', { one: '{count} person', other: '{count} people' }, { count: 12_000 }, 'en'],
  ['12.000 Personen', { one: '{count} Person', other: '{count} Personen' }, { count: 12_000 }, 'de'],
  ['0 personne', { one: '{count} personne', other: '{count} personnes' }, { count: 0 }, 'fr'],
  ['2026 in a text stays 2026', '{year} in a text stays {year}', { year: '2026' }, 'en'],
  ['a value is no {pattern}', 'a value is no {x}', { x: '{pattern}' }, 'en'],
])('writes "%s"', (text, message, values, locale) => {
  expect(formatMessage(message, values, locale)).toBe(text)
})

test.each([
  ['', ['de-AT', 'en'], { language: 'de', locale: 'de-AT' }],
  ['', ['nl', 'fr-CA'], { language: 'fr', locale: 'fr-CA' }],
  ['', ['nl'], { language: 'en', locale: 'en' }],
  ['ja', ['de-AT'], { language: 'ja', locale: 'ja' }],
  ['toString', ['es-MX'], { language: 'es', locale: 'es-MX' }],
])('the choice "%s" of a browser in %j', (chosen, preferred, picked) => {
  expect(pickLanguage(chosen, preferred)).toEqual(picked)
})
