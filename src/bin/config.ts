import { describeSettings, type Settings } from '../settings/settings.ts'

/** `millrace config`: prints every setting with its value, default, accepted values and meaning. */
export function printConfig(settings: Settings): void {
  const blocks = describeSettings(settings).map(({ name, value, fallback, accepts, meaning }) =>
    [`${name}=${value}`, `    ${meaning}`, `    default ${fallback}; accepts ${accepts}`].join('\n'),
  )
  process.stdout.write(`${blocks.join('\n')}\n`)
}
