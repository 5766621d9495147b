import { ServiceError } from '../contract/service-error.ts'

/** Characters of an unknown name that its error repeats. */
const SHOWN_MAX = 64

/**
 * Checks an IANA name of a time zone that the field `field` of a request holds. Offsets such as `+01:00` are not names, though
 * the runtime accepts them. Throws `invalid_argument`.
 */
export function checkTimeZoneName(name: string, field: string): void {
  if (isTimeZoneName(name)) return
  const description = `"${name.slice(0, SHOWN_MAX)}" is not an IANA time zone`
  throw new ServiceError({
    code: 'invalid_argument',
    reason: 'INVALID_TIMEZONE',
    message: `${field}: ${description}`,
    violations: [{ field, description }],
  })
}

function isTimeZoneName(name: string): boolean {
  if (!/^[A-Za-z]/.test(name)) return false
  try {
    new Intl.DateTimeFormat('en-US', { timeZone: name })
    return true
  } catch {
    return false
  }
}
