/** A text with a form for each plural category of its language; its `{count}` chooses the form. */
export type Plural = { readonly other: string } & Partial<Readonly<Record<Intl.LDMLPluralRule, string>>>

/** A text, or one that depends on a number. */
export type Message = string | Plural

/** The same messages in another language: a key that is missing, or one too many, does not compile. */
export type Translation<Source> = {
  readonly [Key in keyof Source]: Source[Key] extends string ? string : Plural
}

/** The names of the placeholders of a text: `count` of `{count} events`. */
export type Placeholder<Text> = Text extends `${string}{${infer Name}}${infer Rest}`
  ? Name | Placeholder<Rest>
  : never

type TextOf<Source> = Source extends { readonly other: infer Text } ? Text : Source

/** The arguments of a message after its key: values of its placeholders, if it has any. */
export type MessageValues<Source> = [Placeholder<TextOf<Source>>] extends [never]
  ? readonly []
  : readonly [values: Readonly<Record<Placeholder<TextOf<Source>>, string | number>>]

/** Fills in a message: the plural form of `count`, numbers in the format of the locale. */
export function formatMessage(
  message: Message,
  values: Readonly<Record<string, string | number>>,
  locale: string,
): string {
  const text = typeof message === 'string' ? message : choosePlural(message, Number(values.count), locale)
  return text.replaceAll(/\{(\w+)\}/g, (whole, name: string) => {
    const value = values[name]
    if (value === undefined) return whole
    return typeof value === 'number' ? numberFormat(locale).format(value) : value
  })
}

function choosePlural(forms: Plural, count: number, locale: string): string {
  return forms[pluralRules(locale).select(count)] ?? forms.other
}

/** Both are costly to make, and a page has one locale. */
const numberFormats = new Map<string, Intl.NumberFormat>()
const rules = new Map<string, Intl.PluralRules>()

function numberFormat(locale: string): Intl.NumberFormat {
  const known = numberFormats.get(locale) ?? new Intl.NumberFormat(locale)
  numberFormats.set(locale, known)
  return known
}

function pluralRules(locale: string): Intl.PluralRules {
  const known = rules.get(locale) ?? new Intl.PluralRules(locale)
  rules.set(locale, known)
  return known
}
