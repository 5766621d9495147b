import { live } from '../../i18n/en/live.ts'
import { addMessages } from '../../i18n/translate.ts'

// Imported by the parts of live that all others need, so that the first load is without them.
addMessages(live)
