/** A mail address, and the name that is shown with it. */
export interface Mailbox {
  /** Empty when there is none. */
  readonly name: string
  readonly address: string
}

const ADDRESS_CHARACTERS_MAX = 254

/** What HTML forms take for an address, with an ASCII domain of any depth. */
const ADDRESS =
  /^[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?(?:\.[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?)*$/

/** `Name <address>`; the name may be in quotes. No quote, angle bracket or control character is in it. */
const NAMED = /^ *(?:"([^"<>\p{Cc}]*)"|([^"<>\p{Cc}]*?)) *<([^<>\s]+)> *$/u

/** Whether a text is one mail address and nothing else. */
export function isMailAddress(text: string): boolean {
  return text.length <= ADDRESS_CHARACTERS_MAX && ADDRESS.test(text)
}

/** Reads `a@example.com` or `Name <a@example.com>`; `undefined` when the text is neither. */
export function parseMailbox(text: string): Mailbox | undefined {
  const named = NAMED.exec(text)
  const address = named?.[3] ?? text.replaceAll(/^ +| +$/g, '')
  if (!isMailAddress(address)) return undefined
  return { name: (named?.[1] ?? named?.[2] ?? '').trim(), address }
}

/** The text of a mailbox, as a header has it. */
export function printMailbox({ name, address }: Mailbox): string {
  return name === '' ? address : `"${name.replaceAll('\\', '\\\\')}" <${address}>`
}
