import CircleDollarSign from 'lucide-solid/icons/circle-dollar-sign'
import CornerDownRight from 'lucide-solid/icons/corner-down-right'
import Link from 'lucide-solid/icons/link'
import Mail from 'lucide-solid/icons/mail'
import Megaphone from 'lucide-solid/icons/megaphone'
import Monitor from 'lucide-solid/icons/monitor'
import Search from 'lucide-solid/icons/search'
import Share from 'lucide-solid/icons/share-2'
import Smartphone from 'lucide-solid/icons/smartphone'
import Tablet from 'lucide-solid/icons/tablet'
import Tv from 'lucide-solid/icons/tv'
import Video from 'lucide-solid/icons/video'
import { type Component, type JSX, Suspense } from 'solid-js'
import { Flag } from './flag.tsx'
import { lazy } from './lazy.ts'

// The first load is without the drawings of browsers and systems.
const FurtherIcon = lazy(async () => ({ default: (await import('./further-icon.tsx')).FurtherIcon }))

/** The dimensions whose other values have further icons. */
const FURTHER: readonly string[] = ['browser', 'os', 'device']

/** Icons of the values that every project has. */
const ICONS: Readonly<Record<string, Component>> = {
  'channel:Direct': CornerDownRight,
  'channel:Organic Search': Search,
  'channel:Paid Search': CircleDollarSign,
  'channel:Organic Social': Share,
  'channel:Organic Video': Video,
  'channel:Paid Social': Megaphone,
  'channel:Email': Mail,
  'channel:Referral': Link,
  'device:desktop': Monitor,
  'device:mobile': Smartphone,
  'device:tablet': Tablet,
  'device:tv': Tv,
}

/** The icon of a value of a dimension of visits; `undefined` where none is known. */
export function iconOf(dimension: string, value: string): (() => JSX.Element) | undefined {
  if (dimension === 'country' && value !== '') return () => <Flag country={value} />
  const Icon = ICONS[`${dimension}:${value}`]
  if (Icon) return () => <Icon />
  if (!FURTHER.includes(dimension)) return undefined
  return () => (
    <Suspense fallback={<span class="ui-icon-place" />}>
      <FurtherIcon value={value} />
    </Suspense>
  )
}
