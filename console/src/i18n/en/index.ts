import type { alerts } from './alerts.ts'
import type { assistants } from './assistants.ts'
import type { audit } from './audit.ts'
import type { channels } from './channels.ts'
import { chart } from './chart.ts'
import type { cohorts } from './cohorts.ts'
import { common } from './common.ts'
import type { dashboards } from './dashboards.ts'
import type { dictionary } from './dictionary.ts'
import type { failures } from './failures.ts'
import type { firstRun } from './first-run.ts'
import type { insights } from './insights.ts'
import type { library } from './library.ts'
import type { live } from './live.ts'
import { overview } from './overview.ts'
import type { passkey } from './passkey.ts'
import type { people } from './people.ts'
import type { peopleCharts } from './people-charts.ts'
import type { picker } from './picker.ts'
import type { reports } from './reports.ts'
import type { secondFactor } from './second-factor.ts'
import type { sessions } from './sessions.ts'
import type { settings } from './settings.ts'
import { shell } from './shell.ts'
import type { signIn } from './sign-in.ts'
import { ui } from './ui.ts'
import type { warnings } from './warnings.ts'

/** The English messages of the first load, the source of the others. Keys begin with the name of their file. */
export const messages = {
  ...common,
  ...chart,
  ...shell,
  ...overview,
  ...ui,
} as const

/** The type of all English messages; those that only `EnglishMessages` has are added by the pages that need them. */
export type EnglishMessages = typeof messages &
  typeof dictionary &
  typeof failures &
  typeof firstRun &
  typeof settings &
  typeof insights &
  typeof library &
  typeof dashboards &
  typeof secondFactor &
  typeof sessions &
  typeof live &
  typeof passkey &
  typeof people &
  typeof peopleCharts &
  typeof alerts &
  typeof assistants &
  typeof audit &
  typeof channels &
  typeof cohorts &
  typeof picker &
  typeof reports &
  typeof signIn &
  typeof warnings
