import { NO_SDK, type SdkName } from './warning.ts'

/** UTF-16 code units of the name of a library, and of its version. */
const NAME_LENGTH_MAX = 60
const VERSION_LENGTH_MAX = 30

const UNPRINTABLE = /[^\x20-\x7e]/g

/** A library's name and version as a warning has them: short and printable, whatever was sent. */
export function toSdkName(sdk: string | undefined, version: string | undefined): SdkName | undefined {
  const name = shorten(sdk ?? '', NAME_LENGTH_MAX)
  return name === '' ? undefined : { sdk: name, sdkVersion: shorten(version ?? '', VERSION_LENGTH_MAX) }
}

function shorten(text: string, lengthMax: number): string {
  return text.slice(0, lengthMax).replaceAll(UNPRINTABLE, '').trim()
}

const LIBRARY = /^(@?[\w./-]{1,60})\/v?(\d[\w.+-]{0,30})$/
const IN_BROWSER_FORM = /^Mozilla\/5\.0 (Umami)\/v?(\d[\w.+-]{0,30})$/

/** The library in the user agent of a server's request; those of browsers and of people are none. */
export function sdkOfAgent(userAgent: string | undefined): SdkName {
  const [, name, version] = LIBRARY.exec(userAgent ?? '') ?? IN_BROWSER_FORM.exec(userAgent ?? '') ?? []
  if (name === undefined || name === 'Mozilla') return NO_SDK
  return toSdkName(name, version) ?? NO_SDK
}
