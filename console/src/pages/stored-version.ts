import { t } from '../i18n/translate.ts'
import { Failure } from '../rpc/failure.ts'

/** What a form was made from, so that it does not replace the changes of somebody else unseen. */
export interface StoredVersion<Item> {
  /** Throws `Failure`, once, when another version is stored than the form knows. */
  readonly check: () => Promise<void>
  /** The form now contains this version. */
  readonly accept: (stored: Item) => void
}

/** Keeps the version of a form's item; `textOf` writes what people edit. */
export function keepVersion<Item>(
  first: Item,
  of: { readonly read: () => Promise<Item | undefined>; readonly textOf: (item: Item) => string },
): StoredVersion<Item> {
  let known = of.textOf(first)
  return {
    check: async () => {
      const stored = await of.read()
      // Storing it states that it is gone.
      const text = stored === undefined ? known : of.textOf(stored)
      if (text === known) return
      known = text
      throw new Failure({ code: 'aborted', message: t('common.changedMeanwhile') })
    },
    accept: (stored) => {
      known = of.textOf(stored)
    },
  }
}
