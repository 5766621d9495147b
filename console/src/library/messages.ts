import { library } from '../i18n/en/library.ts'
import { addMessages } from '../i18n/translate.ts'

// Each module that a page of the library starts with imports this one, before it names anything.
addMessages(library)
