import { picker } from '../i18n/en/picker.ts'
import { addMessages } from '../i18n/translate.ts'

// Imported by each part of the pickers, so that the first load is without them.
addMessages(picker)
