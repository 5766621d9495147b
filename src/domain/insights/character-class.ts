/** A character of an expression: how much of the text writes it, and its code point. */
export interface WrittenCharacter {
  readonly length: number
  readonly code: number
}

const NAMED_ESCAPES: Readonly<Record<string, number>> = { a: 7, t: 9, n: 10, v: 11, f: 12, r: 13 }
/** Escaped, these stand for themselves. */
const PUNCTUATION = /^[!-/:-@[-`{-~ ]/
const OCTAL = /^(?:0[0-7]{0,2}|[1-7][0-7]{1,2})/
const HEXADECIMAL = /^x(?:(?<two>[0-9A-Fa-f]{2})|\{0*(?<any>10[0-9A-Fa-f]{4}|[0-9A-Fa-f]{1,5})\})/

/** The character at the start of a text in the syntax of RE2; `undefined` for an escape that is none. */
export function readCharacter(text: string): WrittenCharacter | undefined {
  const code = text.codePointAt(0)
  if (code === undefined) return undefined
  if (!text.startsWith('\\')) return { length: String.fromCodePoint(code).length, code }
  const escaped = text.slice(1)
  const named = NAMED_ESCAPES[escaped.slice(0, 1)]
  if (named !== undefined) return { length: 2, code: named }
  if (PUNCTUATION.test(escaped)) return { length: 2, code: escaped.charCodeAt(0) }
  const octal = OCTAL.exec(escaped)?.[0]
  if (octal !== undefined) return { length: 1 + octal.length, code: Number.parseInt(octal, 8) }
  const hexadecimal = HEXADECIMAL.exec(escaped)
  const digits = hexadecimal?.groups?.two ?? hexadecimal?.groups?.any
  if (!hexadecimal || digits === undefined) return undefined
  return { length: 1 + hexadecimal[0].length, code: Number.parseInt(digits, 16) }
}

const PERL_CLASS = /^\\[dDsSwW]/
const PROPERTY = /^\\[pP](?:(?<letter>[CLMNPSZ])|\{\^?(?<name>[A-Za-z_]+)\})/
const CATEGORY = /^(?:Any|C[cfos]?|L[lmotu]?|M[cen]?|N[dlo]?|P[cdefios]?|S[ckmo]?|Z[lps]?)$/

/** The length of a class such as `\d` or `\p{Greek}` at the start of a text; `undefined` without one. */
export function matchClass(text: string): number | undefined {
  if (PERL_CLASS.test(text)) return 2
  const property = PROPERTY.exec(text)
  const name = property?.groups?.letter ?? property?.groups?.name
  if (!property || name === undefined || !(CATEGORY.test(name) || SCRIPTS.has(name))) return undefined
  return property[0].length
}

/** The scripts of Unicode 15. Regular expressions of JavaScript have abbreviations and later scripts too. */
const SCRIPTS: ReadonlySet<string> = new Set(
  `Adlam Ahom Anatolian_Hieroglyphs Arabic Armenian Avestan Balinese Bamum Bassa_Vah Batak Bengali Bhaiksuki Bopomofo Brahmi
  Braille Buginese Buhid Canadian_Aboriginal Carian Caucasian_Albanian Chakma Cham Cherokee Chorasmian Common Coptic Cuneiform
  Cypriot Cypro_Minoan Cyrillic Deseret Devanagari Dives_Akuru Dogra Duployan Egyptian_Hieroglyphs Elbasan Elymaic Ethiopic
  Georgian Glagolitic Gothic Grantha Greek Gujarati Gunjala_Gondi Gurmukhi Han Hangul Hanifi_Rohingya Hanunoo Hatran Hebrew
  Hiragana Imperial_Aramaic Inherited Inscriptional_Pahlavi Inscriptional_Parthian Javanese Kaithi Kannada Katakana Kawi
  Kayah_Li Kharoshthi Khitan_Small_Script Khmer Khojki Khudawadi Lao Latin Lepcha Limbu Linear_A Linear_B Lisu Lycian Lydian
  Mahajani Makasar Malayalam Mandaic Manichaean Marchen Masaram_Gondi Medefaidrin Meetei_Mayek Mende_Kikakui Meroitic_Cursive
  Meroitic_Hieroglyphs Miao Modi Mongolian Mro Multani Myanmar Nabataean Nag_Mundari Nandinagari New_Tai_Lue Newa Nko Nushu
  Nyiakeng_Puachue_Hmong Ogham Ol_Chiki Old_Hungarian Old_Italic Old_North_Arabian Old_Permic Old_Persian Old_Sogdian
  Old_South_Arabian Old_Turkic Old_Uyghur Oriya Osage Osmanya Pahawh_Hmong Palmyrene Pau_Cin_Hau Phags_Pa Phoenician
  Psalter_Pahlavi Rejang Runic Samaritan Saurashtra Sharada Shavian Siddham SignWriting Sinhala Sogdian Sora_Sompeng Soyombo
  Sundanese Syloti_Nagri Syriac Tagalog Tagbanwa Tai_Le Tai_Tham Tai_Viet Takri Tamil Tangsa Tangut Telugu Thaana Thai Tibetan
  Tifinagh Tirhuta Toto Ugaritic Vai Vithkuqi Wancho Warang_Citi Yezidi Yi Zanabazar_Square`.split(/\s+/),
)

const POSIX_CLASS =
  /^\[:\^?(?:alnum|alpha|ascii|blank|cntrl|digit|graph|lower|print|punct|space|upper|word|xdigit):\]/

/** The length of the class in brackets at the start of a text; `undefined` for one that is not valid. */
export function matchBrackets(text: string): number | undefined {
  let at = text.startsWith('[^') ? 2 : 1
  // A bracket that comes first belongs to the class.
  do {
    const length = matchMember(text.slice(at))
    if (length === undefined) return undefined
    at += length
  } while (at < text.length && text[at] !== ']')
  return at < text.length ? at + 1 : undefined
}

/** The length of a class or a range in brackets. */
function matchMember(text: string): number | undefined {
  const ofClass = POSIX_CLASS.exec(text)?.[0].length ?? matchClass(text)
  if (ofClass !== undefined) return ofClass
  if (/^\[:[^\]]*:\]/.test(text)) return undefined
  const low = readCharacter(text)
  if (!low) return undefined
  const after = text.slice(low.length)
  if (!/^-[^\]]/s.test(after)) return low.length
  const high = readCharacter(after.slice(1))
  return high && high.code >= low.code ? low.length + 1 + high.length : undefined
}
