import '../../cohorts/messages.ts'
import { insights } from '../../i18n/en/insights.ts'
import { addMessages } from '../../i18n/translate.ts'

// Imported by the parts of insights that all others need, so that the first load is without them.
addMessages(insights)
