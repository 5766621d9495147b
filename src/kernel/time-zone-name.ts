/** Whether the runtime supports an IANA time zone name. Offsets such as `+01:00` are not zone names. */
export function isTimeZoneName(name: string): boolean {
  if (!/^[A-Za-z]/.test(name)) return false
  try {
    new Intl.DateTimeFormat('en-US', { timeZone: name })
    return true
  } catch {
    return false
  }
}
