import { firstRun } from '../../i18n/en/first-run.ts'
import { addMessages } from '../../i18n/translate.ts'

// Each module that a page starts with imports this one, before it names anything.
addMessages(firstRun)
