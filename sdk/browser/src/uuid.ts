/** A UUIDv7: its text sorts by time. */
export const createUuid = (): string => {
  return `${Date.now().toString(16).padStart(12, '0')}-7xxx-8xxx-xxxxxxxxxxxx`
    .replace(/.{8}/, '$&-')
    .replace(/x/g, () =>
      // An array of one number converts to it.
      (+crypto.getRandomValues(new Uint8Array(1)) % 16).toString(16),
    )
}
