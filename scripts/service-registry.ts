import { createFileRegistry, type DescService, fromBinary } from '@bufbuild/protobuf'
import { FileDescriptorSetSchema } from '@bufbuild/protobuf/wkt'

/** Packages of other projects: their services are not part of this interface. */
const FOREIGN = /^(google|buf|grpc)\./

/**
 * The lists of every service, by file name: `services.js` with the descriptors, and `service-names.js` for processes that
 * do without them. `image` is what `buf build` writes.
 */
export function renderServiceRegistry(image: Buffer): ReadonlyMap<string, string> {
  const services = listServices(image)
  const imports = services
    .map(({ name, file }) => `import { ${name} } from './${file.name}_pb.js'\n`)
    .join('')
  return new Map([
    ['services.js', `${imports}\nexport const SERVICES = {\n${services.map(printEntry).join('')}}\n`],
    ['services.d.ts', `${imports}\n${TYPES}${services.map(printProperty).join('')}}\n`],
    [
      'service-names.js',
      `export const SERVICE_NAMES = [\n${services.map(({ typeName }) => `  '${typeName}',\n`).join('')}]\n`,
    ],
    [
      'service-names.d.ts',
      `${NAME_TYPES}\n${services.map(({ typeName }) => `  | '${typeName}'\n`).join('')}`,
    ],
  ])
}

const TYPES = `/** Every service of the interface, by its full name. */
export declare const SERVICES: {
`

const NAME_TYPES = `/** Full names of every service of the interface. */
export declare const SERVICE_NAMES: readonly ServiceName[]

/** Full name of a service. */
export type ServiceName =`

function listServices(image: Buffer): readonly DescService[] {
  const files = [...createFileRegistry(fromBinary(FileDescriptorSetSchema, image)).files]
  const services = files.flatMap((file) => file.services).filter(({ typeName }) => !FOREIGN.test(typeName))
  return services.toSorted((a, b) => (a.typeName < b.typeName ? -1 : 1))
}

function printEntry({ typeName, name }: DescService): string {
  return `  '${typeName}': ${name},\n`
}

function printProperty({ typeName, name }: DescService): string {
  return `  readonly '${typeName}': typeof ${name}\n`
}
