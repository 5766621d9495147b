import { failures } from '../i18n/en/failures.ts'
import { addMessages, type NameKey, t } from '../i18n/translate.ts'
import type { Failure } from './failure.ts'

// Loaded with the first failure, so that the first load is without them.
addMessages(failures)

type FindRefusal = typeof import('@domain/insights/find-refusal.ts').findRefusal
/** The names of all reasons, as the rules that the console shares with the service have them. */
type Reason = NonNullable<ReturnType<FindRefusal>>['reason']

/** Texts of failures by the reasons of the service. A reason whose message has the details has none. */
export const REASON_TEXTS = {
  INTERNAL: 'failures.unexpected',
  CANCELED: 'failures.canceled',
  DEADLINE_EXCEEDED: 'failures.tookTooLong',
  QUERY_TIMEOUT: 'failures.queryTooLong',
  QUERY_TOO_EXPENSIVE: 'failures.queryTooLarge',
  QUERY_UNAVAILABLE: 'failures.noQueries',
  STORE_UNAVAILABLE: 'failures.noStore',
  OVERLOADED: 'failures.overloaded',
  RATE_LIMITED: 'failures.tooMany',
  BODY_TOO_LARGE: 'failures.tooLarge',
  LIMIT_REACHED: 'failures.limit',
  INVALID_TOKEN: 'failures.signedOut',
  INVALID_CREDENTIALS: 'failures.wrongPassword',
  REAUTHENTICATION_REQUIRED: 'failures.signInAgain',
  SIGN_UP_NOT_ALLOWED: 'failures.noAccount',
  SIGN_IN_NOT_CONFIGURED: 'failures.noSignIn',
  IDENTITY_PROVIDER_UNAVAILABLE: 'failures.noProvider',
  SSO_REQUIRED: 'failures.ssoRequired',
  SIGN_IN_ATTEMPT_INVALID: 'failures.otherAttempt',
  SIGN_IN_CODE_INVALID: 'failures.usedCode',
  PROVIDER_REFUSED: 'failures.providerRefused',
  PROVIDER_RESPONSE_INVALID: 'failures.badResponse',
  PROVIDER_CLOCK_WRONG: 'failures.wrongClock',
  EMAIL_NOT_VERIFIED: 'failures.unverifiedEmail',
  ACCOUNT_NOT_CONNECTED: 'failures.notConnected',
  IDENTITY_CHANGED: 'failures.identityChanged',
  IDENTITY_IN_USE: 'failures.identityUsed',
  IDENTITY_NOT_FOUND: 'failures.identityGone',
  SECOND_FACTOR_REQUIRED: 'failures.factorRequired',
  SECOND_FACTOR_PROOF_REQUIRED: 'failures.factorProof',
  SECOND_FACTOR_INVALID: 'failures.factorCode',
  SECOND_FACTOR_NOT_SET_UP: 'failures.noFactor',
  PASSKEY_INVALID: 'failures.passkeyInvalid',
  PASSKEY_COPIED: 'failures.passkeyCopied',
  PASSKEY_IN_USE: 'failures.passkeyInUse',
  PASSKEY_NOT_FOUND: 'failures.passkeyGone',
  PASSKEYS_NOT_AVAILABLE: 'failures.noPasskeys',
  MEMBER_OF_OTHER_ORGS: 'failures.otherOrganisations',
  SESSION_NOT_FOUND: 'failures.sessionGone',
  ORG_NOT_FOUND: 'failures.organisationGone',
  ORG_NOT_A_MEMBER: 'failures.noMember',
  ORG_ADMIN_REQUIRED: 'failures.needsAdmin',
  ORG_ROLE_FORBIDDEN: 'failures.needsRole',
  ORG_ALREADY_A_MEMBER: 'failures.alreadyMember',
  MEMBER_NOT_FOUND: 'failures.memberGone',
  CANNOT_RESTRICT_ADMIN: 'failures.adminEverywhere',
  NOT_A_GUEST: 'failures.notAGuest',
  CANNOT_REMOVE_LAST_ADMIN: 'failures.lastAdmin',
  CANNOT_DEMOTE_LAST_ADMIN: 'failures.lastAdmin',
  CANNOT_LEAVE_AS_LAST_MEMBER: 'failures.lastMember',
  INVITATION_NOT_FOUND: 'failures.noInvitation',
  INVITATION_EXPIRED: 'failures.invitationOver',
  INVITATION_NOT_PENDING: 'failures.invitationOver',
  INVITATION_NEEDS_SIGN_IN: 'failures.invitedAccount',
  PROJECT_NOT_FOUND: 'failures.projectGone',
  PROJECT_ACCESS_DENIED: 'failures.projectClosed',
  RETENTION_NOT_CONFIRMED: 'failures.retentionMore',
  PROJECT_NAME_TAKEN: 'failures.projectTaken',
  API_KEY_NOT_FOUND: 'failures.keyGone',
  EMAIL_PROVIDER_NOT_FOUND: 'failures.mailGone',
  DASHBOARD_NOT_FOUND: 'failures.dashboardGone',
  GOAL_NOT_FOUND: 'failures.goalGone',
  COHORT_NOT_FOUND: 'failures.cohortGone',
  SAVED_INSIGHT_NOT_FOUND: 'failures.savedInsightGone',
  INSIGHT_VERSION_NOT_FOUND: 'failures.versionGone',
  ANNOTATION_NOT_FOUND: 'failures.annotationGone',
  ALERT_NOT_FOUND: 'failures.alertGone',
  REPORT_NOT_FOUND: 'failures.reportGone',
  NAME_NOT_FOUND: 'failures.nameGone',
  CHANNEL_NOT_FOUND: 'failures.channelGone',
  PROFILE_NOT_FOUND: 'failures.personGone',
  VISIT_NOT_FOUND: 'failures.visitGone',
  SHARE_PASSWORD_REQUIRED: 'failures.needsPassword',
  CAMPAIGN_NOT_FOUND: 'failures.campaignGone',
  CAMPAIGN_NOT_SCHEDULED: 'failures.campaignSent',
  COHORT_IN_USE: 'failures.cohortUsed',
  COHORT_CYCLE: 'failures.cohortCycle',
} as const satisfies Readonly<Partial<Record<Reason, NameKey>>>

/** The rules of fields that readers meet, by the words of their descriptions. */
const FIELD_TEXTS: readonly (readonly [words: RegExp, text: NameKey])[] = [
  [/required|must not be (empty|blank)/, 'failures.fieldEmpty'],
  [/a title, a body or data/, 'failures.fieldNotification'],
  [/mail address|valid email/, 'failures.fieldEmail'],
  [/http or https URL/, 'failures.fieldUrl'],
  [/time ?zone/, 'failures.fieldZone'],
  [/decimal number/, 'failures.fieldNumber'],
  [/not the password/, 'failures.fieldPassword'],
  [/newest code/, 'failures.factorCode'],
  [/in the future/, 'failures.fieldPast'],
  [/U\+0000|NUL/, 'failures.fieldCharacter'],
]

/** The problem of a field in the language of the reader, from the description of its rule; other rules in the words of the service. */
function describeField(description: string): string {
  const [, most] = /at most (\d+) (?:characters|bytes)/.exec(description) ?? []
  if (most !== undefined) return t('failures.fieldLong', { count: Number(most) })
  const [, least] = /at least (\d\d+|[2-9]) characters/.exec(description) ?? []
  if (least !== undefined) return t('failures.fieldShort', { count: Number(least) })
  const text = FIELD_TEXTS.find(([words]) => words.test(description))?.[1]
  return text === undefined ? t('ui.answered', { message: description }) : t(text)
}

function describeFailure({ reason, message }: Failure): string {
  const keys: Readonly<Record<string, NameKey>> = REASON_TEXTS
  const key = Object.hasOwn(keys, reason) ? keys[reason] : undefined
  return key === undefined ? t('ui.answered', { message }) : t(key)
}

/** The texts of failures that have a reason, and of problems of fields by their descriptions. */
export const TEXTS = { ofFailure: describeFailure, ofField: describeField } as const
