import ChevronsUpDown from 'lucide-solid/icons/chevrons-up-down'
import { For, type JSX, Show } from 'solid-js'
import { navigate } from '../context/router.ts'
import { type Account, isSharing } from '../context/workspace.ts'
import { t } from '../i18n/translate.ts'
import { Popover } from '../ui/popover.tsx'
import type { Section } from './sections.ts'

/** The project that is shown, and a list of all projects by organisation; a choice keeps the section. */
export function ProjectSwitcher(props: {
  readonly account: Account
  readonly projectId: string
  readonly section: Section
}): JSX.Element {
  const current = () => {
    for (const { org, projects } of props.account.organisations) {
      const project = projects.find(({ id }) => id === props.projectId)
      if (project) return { name: project.displayName, org: org.displayName }
    }
    return { name: 'Millrace', org: '' }
  }
  return (
    <Popover
      label={t('shell.switchProject')}
      class="side-menu"
      trigger={(attributes) => (
        <button type="button" class="side-menu-button project-switcher" {...attributes}>
          <span class="ui-hidden">{t('shell.switchProject')}</span>
          <img src="/favicon.svg" alt="" width="26" height="26" />
          <span class="side-label project-names">
            <span class="project-name ui-ellipsis">{current().name}</span>
            <span class="project-org ui-ellipsis">{current().org}</span>
          </span>
          <ChevronsUpDown class="side-label side-arrow" />
        </button>
      )}
    >
      {(close) => (
        <For each={props.account.organisations}>
          {(organisation) => (
            // biome-ignore lint/a11y/useSemanticElements: the name of an organisation is no legend of a form
            <div role="group" aria-label={organisation.org.displayName}>
              <p class="side-menu-label">{organisation.org.displayName}</p>
              <For each={organisation.projects}>
                {(project) => (
                  <button
                    type="button"
                    class="side-menu-row"
                    aria-pressed={project.id === props.projectId}
                    onClick={() => {
                      close()
                      navigate(`/p/${project.id}/${props.section}`)
                    }}
                  >
                    <span class="ui-ellipsis">{project.displayName}</span>
                  </button>
                )}
              </For>
              <Show when={isSharing(organisation)}>
                <a class="side-menu-row" href="/shared" onClick={close}>
                  {t('shell.shared')}
                </a>
              </Show>
            </div>
          )}
        </For>
      )}
    </Popover>
  )
}
