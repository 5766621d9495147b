import { people } from '../i18n/en/people.ts'
import { addMessages } from '../i18n/translate.ts'

// Imported by the parts of people that all others need, so that the first load is without them.
addMessages(people)
