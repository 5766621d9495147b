/** A mail address with an optional display name. */
export interface Mailbox {
  /** Empty when there is none. */
  readonly name: string
  readonly address: string
}

const ADDRESS_CHARACTERS_MAX = 254

/** The address syntax of HTML forms, with an ASCII domain of any depth. */
const ADDRESS =
  /^[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?(?:\.[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?)*$/

/** `Name <address>`; the name may be quoted. It contains no quotes, angle brackets or control characters. */
const NAMED = /^ *(?:"([^"<>\p{Cc}]*)"|([^"<>\p{Cc}]*?)) *<([^<>\s]+)> *$/u

/** Whether a text is exactly one mail address. */
export function isMailAddress(text: string): boolean {
  return text.length <= ADDRESS_CHARACTERS_MAX && ADDRESS.test(text)
}

/** Parses `a@example.com` or `Name <a@example.com>`; `undefined` for anything else. */
export function parseMailbox(text: string): Mailbox | undefined {
  const named = NAMED.exec(text)
  const address = named?.[3] ?? text.replaceAll(/^ +| +$/g, '')
  if (!isMailAddress(address)) return undefined
  return { name: (named?.[1] ?? named?.[2] ?? '').trim(), address }
}

/** The text of a mailbox in a mail header. */
export function printMailbox({ name, address }: Mailbox): string {
  return name === '' ? address : `"${name.replaceAll('\\', '\\\\')}" <${address}>`
}
