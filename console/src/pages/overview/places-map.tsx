import type { WebTableRow } from '@contract/millrace/web/v1/web_analytics_service_pb.js'
import { type JSX, Suspense } from 'solid-js'
import { t } from '../../i18n/translate.ts'
import { InTurn } from '../../ui/in-turn.tsx'
import { lazy } from '../../ui/lazy.ts'
import { SkeletonBlock } from '../../ui/states.tsx'
import { labelOfValue } from './dimensions.ts'
import { writeCount, writePercent } from './metrics.ts'
import { useView } from './overview-view.ts'

const CountryMap = lazy(async () => ({ default: (await import('../../charts/world-map.tsx')).CountryMap }))

/** The height of the map with its legend; on phones it is narrower. */
const HEIGHT_PX = 262
const PHONE_HEIGHT_PX = 172

const phones = matchMedia('(max-width: 767px)')

/** Visitors by country on a map, which loads when it scrolls into view. A click filters the page. */
export function PlacesMap(props: { readonly rows: readonly WebTableRow[] }): JSX.Element {
  const view = useView()
  const countries = () =>
    props.rows
      .filter(({ value }) => value !== '')
      .map(({ value, metrics, share }) => ({
        code: value,
        name: labelOfValue('country', value),
        value: Number(metrics?.visitors ?? 0),
        text: writeCount(metrics?.visitors ?? 0),
        share: writePercent(share),
        change: undefined,
      }))
  const skeleton = <SkeletonBlock heightPx={phones.matches ? PHONE_HEIGHT_PX : HEIGHT_PX} />
  return (
    <div class="overview-map">
      <InTurn start="in view" fallback={skeleton}>
        <Suspense fallback={skeleton}>
          <CountryMap
            countries={countries()}
            valueName={t('overview.visitors')}
            unit="number"
            onOpen={(value) => view.choose({ dimension: 'country', value }, 'is')}
          />
        </Suspense>
      </InTurn>
    </div>
  )
}
