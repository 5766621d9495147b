import { chart } from './chart.ts'
import { common } from './common.ts'
import { dashboards } from './dashboards.ts'
import { firstRun } from './first-run.ts'
import { overview } from './overview.ts'
import { people } from './people.ts'
import { picker } from './picker.ts'
import { shell } from './shell.ts'
import { ui } from './ui.ts'

/** The English messages, the source of the others. Keys begin with the name of their file. */
export const messages = {
  ...common,
  ...chart,
  ...dashboards,
  ...shell,
  ...overview,
  ...people,
  ...ui,
  ...firstRun,
  ...picker,
} as const

/** The type of the English messages. */
export type EnglishMessages = typeof messages
