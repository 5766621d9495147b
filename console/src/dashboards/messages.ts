import { dashboards } from '../i18n/en/dashboards.ts'
import { addMessages } from '../i18n/translate.ts'

// Each module that a page of dashboards starts with imports this one, before it names anything.
addMessages(dashboards)
