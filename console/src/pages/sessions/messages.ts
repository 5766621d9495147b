import { sessions } from '../../i18n/en/sessions.ts'
import { addMessages } from '../../i18n/translate.ts'

// Imported by the page, so that the first load is without them.
addMessages(sessions)
