import { secondFactor } from '../../i18n/en/second-factor.ts'
import { addMessages } from '../../i18n/translate.ts'
import './passkey-messages.ts'

// Imported by each page that shows them, so that the first load is without them.
addMessages(secondFactor)
