import type { DatePeriod } from '@domain/date-periods.ts'
import Bell from 'lucide-solid/icons/bell'
import Copy from 'lucide-solid/icons/copy'
import Download from 'lucide-solid/icons/download'
import Ellipsis from 'lucide-solid/icons/ellipsis'
import LayoutGrid from 'lucide-solid/icons/layout-grid'
import Star from 'lucide-solid/icons/star'
import Trash from 'lucide-solid/icons/trash'
import { createSignal, type JSX } from 'solid-js'
import { Button, ButtonLink, IconButton } from '../ui/button.tsx'
import { DateRangeLayer } from '../ui/date-range-layer.tsx'
import { DateRangePicker } from '../ui/date-range-picker.tsx'
import { ConfirmDialog, Dialog } from '../ui/dialog.tsx'
import { Drawer } from '../ui/drawer-panel.tsx'
import { Input } from '../ui/input.tsx'
import { Menu, type MenuEntry } from '../ui/menu.tsx'
import { Popover } from '../ui/popover.tsx'
import { Example } from './example.tsx'

/** Buttons in every tone and state. */
export function Buttons(): JSX.Element {
  return (
    <Example title="Buttons">
      <div class="gallery-row">
        <Button tone="primary">Save</Button>
        <Button icon={<LayoutGrid />}>Add to dashboard</Button>
        <Button tone="ghost">Cancel</Button>
        <IconButton name="More actions">
          <Ellipsis />
        </IconButton>
      </div>
      <div class="gallery-row">
        <Button tone="destructive">Delete person</Button>
        <Button tone="danger" icon={<Trash />}>
          Delete…
        </Button>
        <Button tone="primary" isLoading={true}>
          Saving
        </Button>
        <Button icon={<Download />} isLoading={true}>
          Export
        </Button>
      </div>
      <div class="gallery-row">
        <Button isDisabled={true}>Disabled</Button>
        <Button size="small">Small</Button>
        <ButtonLink href="#docs">A link</ButtonLink>
        <IconButton name="Star" size="small" aria-pressed={true}>
          <Star />
        </IconButton>
        <IconButton name="Star" keys="S" size="small" tone="ghost">
          <Star />
        </IconButton>
      </div>
    </Example>
  )
}

const ENTRIES: readonly MenuEntry[] = [
  { label: 'Duplicate', icon: () => <Copy />, keys: ['D'], onSelect: () => {} },
  { label: 'Add to dashboard', icon: () => <LayoutGrid />, keys: ['A'], onSelect: () => {} },
  { label: 'Set an alert', icon: () => <Bell />, onSelect: () => {}, isDisabled: true },
  { label: 'Export as CSV', icon: () => <Download />, onSelect: () => {} },
  'line',
  {
    label: 'Theme',
    value: 'system',
    choices: [
      { value: 'system', label: 'System' },
      { value: 'dark', label: 'Dark' },
    ],
    onChange: () => {},
  },
  'line',
  { label: 'Delete insight…', icon: () => <Trash />, tone: 'danger', onSelect: () => {} },
]

/** Components that open above the page. */
export function Layers(): JSX.Element {
  const [isDialogOpen, setDialogOpen] = createSignal(false)
  const [isConfirmOpen, setConfirmOpen] = createSignal(false)
  const [isDrawerOpen, setDrawerOpen] = createSignal(false)
  return (
    <Example title="Menu, popover, dialog, drawer">
      <div class="gallery-row">
        <Menu
          entries={ENTRIES}
          trigger={(attributes) => (
            <IconButton {...attributes} name="Insight actions">
              <Ellipsis />
            </IconButton>
          )}
        />
        <Popover label="Note" trigger={(attributes) => <Button {...attributes}>Popover</Button>}>
          {(close) => (
            <div class="gallery-card">
              <Input label="Note" value="" placeholder="Winter sale starts" data-autofocus="" />
              <Button tone="primary" onClick={close}>
                Add
              </Button>
            </div>
          )}
        </Popover>
        <Button onClick={() => setDialogOpen(true)}>Dialog</Button>
        <Button tone="danger" onClick={() => setConfirmOpen(true)}>
          Confirm…
        </Button>
        <Button onClick={() => setDrawerOpen(true)}>Drawer</Button>
      </div>
      <Dialog
        title="Name this insight"
        isOpen={isDialogOpen()}
        onClose={() => setDialogOpen(false)}
        foot={
          <Button tone="primary" onClick={() => setDialogOpen(false)}>
            Save
          </Button>
        }
      >
        <Input label="Name" value="Sign-up rate by channel" />
      </Dialog>
      <ConfirmDialog
        title="Delete person and data"
        text="This deletes the person and 1,204 events. It cannot be undone."
        verb="Delete person"
        confirm={{ text: 'anna', label: 'Type the person’s ID to confirm' }}
        isOpen={isConfirmOpen()}
        onClose={() => setConfirmOpen(false)}
        onConfirm={async () => {}}
      />
      <Drawer title="People who dropped off" isOpen={isDrawerOpen()} onClose={() => setDrawerOpen(false)}>
        <p>1,240 people</p>
      </Drawer>
    </Example>
  )
}

/** The current date of the examples. */
const TODAY = '2026-11-22'

/** The date range, as a button and open. */
export function Ranges(): JSX.Element {
  const [period, setPeriod] = createSignal<DatePeriod>({ last: 30, unit: 'days' })
  return (
    <div class="gallery-wide">
      <Example title="Date range">
        <div class="gallery-stack">
          <DateRangePicker period={period()} today={TODAY} firstDate="2025-03-04" onChange={setPeriod} />
          <div class="gallery-panel">
            <DateRangeLayer
              period={period()}
              today={TODAY}
              firstDate="2025-03-04"
              onChange={setPeriod}
              close={() => {}}
            />
          </div>
        </div>
      </Example>
    </div>
  )
}
