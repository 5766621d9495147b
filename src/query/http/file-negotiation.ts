/** Codings that files are stored in, the smallest first. */
const CODINGS = ['br', 'gzip'] as const

/** A coding of a file besides its plain bytes. */
export type FileCoding = (typeof CODINGS)[number]

/** Whether a client's `if-none-match` names the file; proxies that compress make a tag weak. */
export function hasFile(sent: string, etag: string): boolean {
  const tags = sent.split(',').map((tag) => tag.trim())
  return tags.some((tag) => tag === '*' || strong(tag) === strong(etag))
}

/** The smallest available coding that a client's `accept-encoding` allows. */
export function chooseFileCoding(
  accepted: string,
  has: (coding: FileCoding) => boolean,
): FileCoding | undefined {
  return CODINGS.find((coding) => has(coding) && takes(accepted, coding))
}

function strong(tag: string): string {
  return tag.replace(/^W\//, '')
}

function takes(accepted: string, coding: string): boolean {
  return accepted.split(',').some((part) => {
    const [name = '', ...parameters] = part.split(';').map((text) => text.trim().toLowerCase())
    return name === coding && !parameters.some((text) => /^q\s*=\s*0(\.0*)?$/.test(text))
  })
}
