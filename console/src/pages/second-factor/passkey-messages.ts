import { passkey } from '../../i18n/en/passkey.ts'
import { addMessages } from '../../i18n/translate.ts'

// Imported by each page that shows them, so that the first load is without them.
addMessages(passkey)
