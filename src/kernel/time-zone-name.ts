/** Whether the runtime knows an IANA time zone of that name. Offsets such as `+01:00` are no names of zones. */
export function isTimeZoneName(name: string): boolean {
  if (!/^[A-Za-z]/.test(name)) return false
  try {
    new Intl.DateTimeFormat('en-US', { timeZone: name })
    return true
  } catch {
    return false
  }
}
