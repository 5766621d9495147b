/** The Connect codes that the service answers with; the name is the wire form. */
export type ErrorCode =
  | 'canceled'
  | 'invalid_argument'
  | 'deadline_exceeded'
  | 'not_found'
  | 'already_exists'
  | 'permission_denied'
  | 'resource_exhausted'
  | 'failed_precondition'
  | 'unimplemented'
  | 'internal'
  | 'unavailable'
  | 'unauthenticated'

/** Stable machine-readable causes: clients branch on them, so a name never changes its meaning. */
export type ErrorReason =
  | 'INVALID_EVENT_BATCH'
  | 'COOKIELESS_IDENTITY_UNAVAILABLE'
  | 'INVALID_REQUEST'
  | 'INVALID_INSIGHT_QUERY'
  | 'INVALID_ACTIVITY_FILTER'
  | 'INVALID_PROFILE_FILTER'
  | 'INVALID_WEB_QUERY'
  | 'PROFILE_NOT_FOUND'
  | 'DELETION_REQUEST_NOT_FOUND'
  | 'INVALID_PAGE_TOKEN'
  | 'INVALID_TIMEZONE'
  | 'INVALID_API_KEY'
  | 'API_KEY_EXPIRED'
  | 'ADDRESS_NOT_ALLOWED'
  | 'PUBLIC_KEY_NOT_ALLOWED'
  | 'INVALID_TOKEN'
  | 'TOKEN_SCOPE_TOO_LOW'
  | 'TOKEN_PROJECT_NOT_ALLOWED'
  | 'TOKEN_PROJECT_REQUIRED'
  | 'TOKEN_NOT_FOUND'
  | 'ASSISTANT_NOT_FOUND'
  | 'ASSISTANT_REQUEST_NOT_FOUND'
  | 'INVALID_CREDENTIALS'
  | 'SIGN_IN_NOT_CONFIGURED'
  | 'SIGN_UP_NOT_ALLOWED'
  | 'REAUTHENTICATION_REQUIRED'
  | 'SECOND_FACTOR_REQUIRED'
  | 'SECOND_FACTOR_PROOF_REQUIRED'
  | 'SECOND_FACTOR_INVALID'
  | 'SECOND_FACTOR_NOT_SET_UP'
  | 'PASSKEY_INVALID'
  | 'PASSKEY_COPIED'
  | 'PASSKEY_IN_USE'
  | 'PASSKEY_NOT_FOUND'
  | 'PASSKEYS_NOT_AVAILABLE'
  | 'MEMBER_OF_OTHER_ORGS'
  | 'SESSION_NOT_FOUND'
  | 'IDENTITY_PROVIDER_UNAVAILABLE'
  | 'SSO_REQUIRED'
  | 'SIGN_IN_ATTEMPT_INVALID'
  | 'SIGN_IN_CODE_INVALID'
  | 'PROVIDER_REFUSED'
  | 'PROVIDER_RESPONSE_INVALID'
  | 'PROVIDER_CLOCK_WRONG'
  | 'EMAIL_NOT_VERIFIED'
  | 'ACCOUNT_NOT_CONNECTED'
  | 'IDENTITY_CHANGED'
  | 'IDENTITY_IN_USE'
  | 'IDENTITY_NOT_FOUND'
  | 'ORG_NOT_FOUND'
  | 'ORG_NOT_A_MEMBER'
  | 'ORG_ADMIN_REQUIRED'
  | 'ORG_ROLE_FORBIDDEN'
  | 'ORG_ALREADY_A_MEMBER'
  | 'MEMBER_NOT_FOUND'
  | 'CANNOT_RESTRICT_ADMIN'
  | 'NOT_A_GUEST'
  | 'CANNOT_REMOVE_LAST_ADMIN'
  | 'CANNOT_DEMOTE_LAST_ADMIN'
  | 'CANNOT_LEAVE_AS_LAST_MEMBER'
  | 'INVITATION_NOT_FOUND'
  | 'INVITATION_EXPIRED'
  | 'INVITATION_NOT_PENDING'
  | 'INVITATION_NEEDS_SIGN_IN'
  | 'PROJECT_NOT_FOUND'
  | 'PROJECT_ACCESS_DENIED'
  | 'PROJECT_NAME_TAKEN'
  | 'RETENTION_NOT_CONFIRMED'
  | 'API_KEY_NOT_FOUND'
  | 'LIMIT_REACHED'
  | 'EMAIL_PROVIDER_NOT_FOUND'
  | 'DASHBOARD_NOT_FOUND'
  | 'GOAL_NOT_FOUND'
  | 'IMPORT_NOT_FOUND'
  | 'BATCH_OUT_OF_ORDER'
  | 'NO_DAYS_TO_SHOW'
  | 'CHANNEL_NOT_FOUND'
  | 'INVALID_ALERT'
  | 'ALERT_NOT_FOUND'
  | 'REPORT_NOT_FOUND'
  | 'COHORT_NOT_FOUND'
  | 'COHORT_CYCLE'
  | 'COHORT_IN_USE'
  | 'COHORT_NOT_STATIC'
  | 'SAVED_INSIGHT_NOT_FOUND'
  | 'SAVED_INSIGHT_IN_USE'
  | 'INSIGHT_VERSION_NOT_FOUND'
  | 'ANNOTATION_NOT_FOUND'
  | 'NAME_NOT_FOUND'
  | 'VISIT_NOT_FOUND'
  | 'SHARE_RANGE_PINNED'
  | 'SHARE_PASSWORD_REQUIRED'
  | 'DEVICE_NOT_FOUND'
  | 'CAMPAIGN_NOT_FOUND'
  | 'CAMPAIGN_NOT_SCHEDULED'
  | 'UNSUPPORTED_MEDIA_TYPE'
  | 'METHOD_NOT_ALLOWED'
  | 'ORIGIN_NOT_ALLOWED'
  | 'UNSUPPORTED_ENCODING'
  | 'METHOD_NOT_FOUND'
  | 'SERVICE_NOT_FOUND'
  | 'NOT_IMPLEMENTED'
  | 'BODY_TOO_LARGE'
  | 'OVERLOADED'
  | 'RATE_LIMITED'
  | 'QUERY_TOO_EXPENSIVE'
  | 'QUERY_TIMEOUT'
  | 'STORE_UNAVAILABLE'
  | 'QUERY_UNAVAILABLE'
  | 'DEADLINE_EXCEEDED'
  | 'CANCELED'
  | 'INTERNAL'

/** One field of a request that breaks a rule. */
export interface FieldViolation {
  /** Path of the field, for example `events[3].kind`. */
  readonly field: string
  readonly description: string
}

/** The parts of a {@link ServiceError}. */
export interface ServiceErrorInit {
  readonly code: ErrorCode
  readonly reason: ErrorReason
  /** Safe to show to the caller. */
  readonly message: string
  readonly violations?: readonly FieldViolation[]
  /** Seconds after which the caller should try again. */
  readonly retryAfterSeconds?: number
  /** Logged under the request id, never sent. */
  readonly cause?: unknown
}

/** Maximum violations in one answer: a request may break a rule in every one of its parts. */
const VIOLATIONS_MAX = 100

/** UTF-16 code units of a text in an error, which may quote names that a request chose. */
const TEXT_LENGTH_MAX = 1000

/** The one error that becomes an answer. Everything else that is thrown is a bug and answers `internal`. */
export class ServiceError extends Error {
  readonly code: ErrorCode
  readonly reason: ErrorReason
  readonly violations: readonly FieldViolation[]
  readonly retryAfterSeconds: number | undefined

  constructor(init: ServiceErrorInit) {
    super(shorten(init.message), init.cause === undefined ? undefined : { cause: init.cause })
    this.name = 'ServiceError'
    this.code = init.code
    this.reason = init.reason
    this.violations = (init.violations ?? []).slice(0, VIOLATIONS_MAX).map(({ field, description }) => ({
      field: shorten(field),
      description: shorten(description),
    }))
    this.retryAfterSeconds = init.retryAfterSeconds
  }

  /** Any thrown value as a ServiceError; what is not one becomes `internal` with the value as its cause. */
  static from(thrown: unknown): ServiceError {
    if (thrown instanceof ServiceError) return thrown
    return new ServiceError({
      code: 'internal',
      reason: 'INTERNAL',
      message: 'internal error',
      cause: thrown,
    })
  }
}

function shorten(text: string): string {
  return text.length <= TEXT_LENGTH_MAX ? text : `${text.slice(0, TEXT_LENGTH_MAX).toWellFormed()}…`
}
