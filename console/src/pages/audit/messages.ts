import { audit } from '../../i18n/en/audit.ts'
import { addMessages } from '../../i18n/translate.ts'

// Imported by the page, so that the first load is without them.
addMessages(audit)
