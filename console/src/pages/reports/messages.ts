import { reports } from '../../i18n/en/reports.ts'
import { addMessages } from '../../i18n/translate.ts'
import '../channels/messages.ts'

// Imported by each part of the page that shows them, so that the first load is without them.
addMessages(reports)
