/** A UUIDv7: its text sorts by time. */
export function createUuid(): string {
  const time = Date.now().toString(16).padStart(12, '0')
  return `${time.slice(0, 8)}-${time.slice(8)}-7xxx-8xxx-xxxxxxxxxxxx`.replace(/x/g, randomDigit)
}

function randomDigit(): string {
  const [byte = 0] = crypto.getRandomValues(new Uint8Array(1))
  return (byte & 15).toString(16)
}
