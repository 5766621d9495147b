import { assistants } from '../../i18n/en/assistants.ts'
import { addMessages } from '../../i18n/translate.ts'
import '../settings/messages.ts'

// Imported by each part of the page that shows them, so that the first load is without them.
addMessages(assistants)
