import type { EnglishMessages } from '../en/index.ts'
import type { Translation } from '../messages.ts'
import { alerts } from './alerts.ts'
import { assistants } from './assistants.ts'
import { audit } from './audit.ts'
import { channels } from './channels.ts'
import { chart } from './chart.ts'
import { cohorts } from './cohorts.ts'
import { common } from './common.ts'
import { dashboards } from './dashboards.ts'
import { dictionary } from './dictionary.ts'
import { failures } from './failures.ts'
import { firstRun } from './first-run.ts'
import { insights } from './insights.ts'
import { library } from './library.ts'
import { live } from './live.ts'
import { overview } from './overview.ts'
import { passkey } from './passkey.ts'
import { people } from './people.ts'
import { peopleCharts } from './people-charts.ts'
import { picker } from './picker.ts'
import { reports } from './reports.ts'
import { secondFactor } from './second-factor.ts'
import { sessions } from './sessions.ts'
import { settings } from './settings.ts'
import { shell } from './shell.ts'
import { signIn } from './sign-in.ts'
import { ui } from './ui.ts'
import { warnings } from './warnings.ts'

/** The Spanish messages. */
export const messages: Translation<EnglishMessages> = {
  ...common,
  ...alerts,
  ...assistants,
  ...audit,
  ...channels,
  ...chart,
  ...cohorts,
  ...dashboards,
  ...dictionary,
  ...failures,
  ...shell,
  ...overview,
  ...passkey,
  ...people,
  ...peopleCharts,
  ...ui,
  ...firstRun,
  ...picker,
  ...reports,
  ...secondFactor,
  ...sessions,
  ...settings,
  ...signIn,
  ...insights,
  ...library,
  ...live,
  ...warnings,
}
