import { peopleCharts } from '../i18n/en/people-charts.ts'
import { addMessages } from '../i18n/translate.ts'

// Each module of charts of people that is loaded first imports this one, before it names anything.
addMessages(peopleCharts)
