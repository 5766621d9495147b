import { signIn } from '../i18n/en/sign-in.ts'
import { addMessages } from '../i18n/translate.ts'

// Imported by each page that shows them, so that the first load is without them.
addMessages(signIn)
