import type { DescMethod, DescService } from '@bufbuild/protobuf'
import { SERVICES } from '../../src/contract/gen/services.js'

/** Every service of the interface. */
export const ALL_SERVICES: readonly DescService[] = Object.values(SERVICES)

/** Every method of the interface. */
export const ALL_METHODS: readonly DescMethod[] = ALL_SERVICES.flatMap(({ methods }) => methods)

/** `Service/Method`. */
export function shortName({ parent, name }: DescMethod): string {
  return `${parent.name}/${name}`
}
