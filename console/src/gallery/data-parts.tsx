import ChartArea from 'lucide-solid/icons/chart-area'
import ChartColumn from 'lucide-solid/icons/chart-column'
import ChartLine from 'lucide-solid/icons/chart-line'
import Funnel from 'lucide-solid/icons/funnel'
import Search from 'lucide-solid/icons/search'
import Table2 from 'lucide-solid/icons/table'
import { createSignal, type JSX } from 'solid-js'
import { Failure } from '../rpc/failure.ts'
import { Avatar } from '../ui/avatar.tsx'
import { Badge, Keys, LetterBadge, Pill } from '../ui/badge.tsx'
import { BarList } from '../ui/bar-list.tsx'
import { Button } from '../ui/button.tsx'
import { Card } from '../ui/card.tsx'
import { Delta } from '../ui/delta.tsx'
import { Flag } from '../ui/flag.tsx'
import { SegmentedControl } from '../ui/segmented-control.tsx'
import { LiveDot, Spinner } from '../ui/spinner.tsx'
import { EmptyState, ErrorState, SkeletonChart, SkeletonLines } from '../ui/states.tsx'
import { type Column, type Sorting, Table } from '../ui/table.tsx'
import { Tabs } from '../ui/tabs.tsx'
import { showToast, showUndo } from '../ui/toast.tsx'
import { Example } from './example.tsx'

interface PageRow {
  readonly path: string
  readonly visitors: number
  readonly change: number
}

const PAGES: readonly PageRow[] = [
  { path: '/chairs', visitors: 27_934, change: 0.142 },
  { path: '/lamps', visitors: 19_181, change: 0.215 },
  { path: '/pricing', visitors: 14_791, change: -0.034 },
]

const COLUMNS: readonly Column<PageRow, 'path' | 'visitors' | 'change'>[] = [
  {
    key: 'path',
    title: 'Page',
    kind: 'wide',
    isSortable: true,
    cell: ({ path }) => <a href={path}>{path}</a>,
  },
  {
    key: 'visitors',
    title: 'Visitors',
    kind: 'number',
    isSortable: true,
    cell: ({ visitors }) => visitors.toLocaleString('en'),
  },
  { key: 'change', title: 'Change', kind: 'number', cell: ({ change }) => <Delta by={change} /> },
]

/** Components that show data: tabs, badges, tables, bars. */
export function DataParts(): JSX.Element {
  const [tab, setTab] = createSignal('trends')
  const [kind, setKind] = createSignal('line')
  const [panel, setPanel] = createSignal('top')
  return (
    <>
      <Example title="Tabs and segmented controls">
        <Tabs
          label="Insight"
          value={tab()}
          onChange={setTab}
          choices={[
            { value: 'trends', label: 'Trends', icon: <ChartLine /> },
            { value: 'funnel', label: 'Funnel', icon: <Funnel /> },
            { value: 'people', label: 'People', count: '86,412' },
          ]}
        />
        <div class="gallery-row" data-gap="wide">
          <SegmentedControl
            label="Chart"
            look="icon-only"
            size="large"
            value={kind()}
            onChange={setKind}
            choices={[
              { value: 'line', label: 'Line', icon: <ChartLine /> },
              { value: 'area', label: 'Area', icon: <ChartArea /> },
              { value: 'bars', label: 'Bars', icon: <ChartColumn /> },
              { value: 'table', label: 'Table', icon: <Table2 />, isDisabled: true },
            ]}
          />
          <SegmentedControl
            label="Pages"
            value={panel()}
            onChange={setPanel}
            choices={[
              { value: 'top', label: 'Top' },
              { value: 'entry', label: 'Entry' },
              { value: 'exit', label: 'Exit' },
            ]}
          />
        </div>
      </Example>
      <Badges />
      <Tables />
      <Example title="Bars behind rows">
        <BarList
          label="Channels"
          heads={['Channel', 'Visitors', 'Share']}
          onChoose={() => {}}
          rows={[
            {
              key: 'o',
              name: 'Organic search',
              icon: () => <Search />,
              barShare: 1,
              value: '6,120',
              share: '40.2%',
            },
            { key: 'd', name: 'Direct', barShare: 0.63, value: '3,844', share: '25.3%', isChosen: true },
            {
              key: 'g',
              name: 'Germany',
              icon: () => <Flag country="DE" />,
              barShare: 0.02,
              value: '188',
              share: '1.2%',
            },
            {
              key: 'p',
              name: '/a/very/long/path/that/does/not/fit/into/its/row',
              barShare: 0.2,
              value: '90',
              share: '<0.1%',
              href: '/',
              hrefName: 'Open the page',
            },
          ]}
        />
      </Example>
    </>
  )
}

function Badges(): JSX.Element {
  return (
    <Example title="Badges, deltas, live">
      <div class="gallery-row">
        <Badge>Draft</Badge>
        <Badge tone="accent">Identified</Badge>
        <Badge tone="good">Active</Badge>
        <Badge tone="warn">Expires soon</Badge>
        <Badge tone="bad">Failed</Badge>
        <Badge tone="info">Beta</Badge>
      </div>
      <div class="gallery-row" data-gap="wide">
        <Delta by={0.124} />
        <Delta by={-0.031} />
        <Delta by={-0.021} unit="pp" better="down" />
        <Delta by={0} />
        <Delta by="new" />
        <Delta by={0.2} better="neither" />
      </div>
      <div class="gallery-row" data-gap="wide">
        <Pill>
          <LiveDot /> 27 people online
        </Pill>
        <LiveDot state="waiting" />
        <LiveDot state="off" />
        <Spinner />
        <Keys keys={['⌘', 'K']} />
        <LetterBadge letter="A" />
      </div>
      <div class="gallery-row">
        {['Anna Keller', 'bo@oakline.example', 'Chen Wei', 'Dara', 'Élise Roy', 'F'].map((name) => (
          <Avatar id={name} name={name} />
        ))}
        <Avatar id="anna" name="Anna Keller" size="large" />
        {['DE', 'AT', 'FR', 'JP', 'US', 'BR', 'ZZ'].map((code) => (
          <Flag country={code} />
        ))}
      </div>
    </Example>
  )
}

function Tables(): JSX.Element {
  const [sorting, setSorting] = createSignal<Sorting<'path' | 'visitors' | 'change'>>({
    key: 'visitors',
    direction: 'descending',
  })
  const sorted = (): readonly PageRow[] => {
    const rows = PAGES.toSorted((a, b) =>
      sorting().key === 'path' ? a.path.localeCompare(b.path) : a.visitors - b.visitors,
    )
    return sorting().direction === 'ascending' ? rows : rows.toReversed()
  }
  return (
    <Card title="Table" padding="none" foot={<span>1–3 of 1,240</span>}>
      <Table
        label="Pages"
        columns={COLUMNS}
        rows={sorted()}
        sorting={sorting()}
        onSort={setSorting}
        onOpen={({ path }) => showToast({ text: `Opened ${path}` })}
        isSelected={({ path }) => path === '/pricing'}
      />
    </Card>
  )
}

/** Empty, loading and failing. */
export function States(): JSX.Element {
  return (
    <>
      <Example title="Empty state">
        <EmptyState
          icon={<ChartLine />}
          title="No signup events in this period"
          text="The last one was on Oct 2. Try a longer period."
          actions={
            <>
              <Button size="small">Last 90 days</Button>
              <Button size="small" tone="ghost">
                Clear filters
              </Button>
            </>
          }
        />
      </Example>
      <Example title="Loading">
        <SkeletonChart />
        <SkeletonLines count={2} />
      </Example>
      <Card title="An older answer, refreshing" isRefreshing={true}>
        15,208
      </Card>
      <Example title="Error in a tile">
        <ErrorState
          title="This took too long"
          advice="Choose a shorter period or add a filter."
          onRetry={() => {}}
          error={
            new Failure({
              code: 'deadline_exceeded',
              reason: 'QUERY_TIMEOUT',
              message: 'The query read 4.1 billion events and stopped after 30 s.',
              requestId: '0b7c1f6e-9f0d-4a55-8a53-3f2f1f4a1c11',
            })
          }
        />
      </Example>
    </>
  )
}

/** Messages after actions. */
export function Feedback(): JSX.Element {
  return (
    <Example title="Toast">
      <div class="gallery-row">
        <Button
          onClick={() =>
            showToast({ text: 'Added to Growth overview', action: { label: 'Open', run: () => {} } })
          }
        >
          Add
        </Button>
        <Button onClick={() => showUndo('Tile removed', () => {})}>Remove tile</Button>
        <Button onClick={() => showToast({ text: 'The export failed', tone: 'bad' })}>Export</Button>
      </div>
    </Example>
  )
}
