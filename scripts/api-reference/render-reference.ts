import type { DescService } from '@bufbuild/protobuf'
import { COMMON_REASONS, ERROR_REASONS } from './errors.ts'
import { readExamples } from './examples.ts'
import { type Interface, listTypes, readInterface } from './read-interface.ts'
import { GENERATED, renderService } from './render-service.ts'
import { renderEnum, renderMessage, TYPES_PAGE } from './render-types.ts'

/** Every page of the reference, by its name. */
export function renderReference(root: string): ReadonlyMap<string, string> {
  const contract = readInterface(root)
  const examples = readExamples(root)
  const services = contract.services.map(
    (service) => [pageOf(service), renderService({ contract, service, examples })] as const,
  )
  return new Map([['index.md', renderIndex(contract)], ...services, [TYPES_PAGE, renderTypes(contract)]])
}

/** The name of the page of a service. */
export function pageOf({ name }: DescService): string {
  return `${name.replace(/(?<=[a-z])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])/g, '-').toLowerCase()}.md`
}

function renderIndex({ services, commentOf }: Interface): string {
  const rows = services.map((service) => {
    const methods = service.methods.map(({ name }) => `[${name}](${pageOf(service)}#${name.toLowerCase()})`)
    const [summary = ''] = commentOf(service).split('. ')
    return `| [${service.name}](${pageOf(service)}) | ${summary.replace(/\.$/, '')} | ${methods.join(', ')} |`
  })
  const reasons = COMMON_REASONS.map(
    (reason) => `| \`${ERROR_REASONS[reason].code}\` | \`${reason}\` | ${ERROR_REASONS[reason].when} |`,
  )
  return `# API reference

${GENERATED}

Every method is a POST to \`/<service>/<method>\` in the protocols Connect, gRPC and gRPC-Web, as JSON or binary. These pages show
Connect with JSON, which needs no library. Fields have their JSON names; fields with their default value are omitted from
responses. Unknown fields are ignored.

| service | purpose | methods |
|---|---|---|
${rows.join('\n')}

Messages that several methods share are in [Types](${TYPES_PAGE}).

## Variables

Examples use these shell variables, and others from earlier responses:

| variable | value |
|---|---|
| \`URL\` | the URL of the service, for example \`http://127.0.0.1:3000\` |
| \`PUBLIC_KEY\`, \`PRIVATE_KEY\` | the keys of a project; the first start prints a pair |
| \`TOKEN\` | a bearer token from [a sign-in](auth-service.md#signinwithemail), valid for an hour |
| \`PROJECT_ID\` | the id of a project; the first one is \`1\` |
| \`ORG_ID\` | an organisation, from [OrgsService.List](orgs-service.md#list) |

## Streams

A streaming method takes one message and returns several, each after one byte of flags and four bytes with its length;
the last frame has the flag 2 and the outcome of the call. Connect client libraries handle this for you.

## gRPC tools

\`grpc.health.v1.Health\` reports whether a service is available: \`Check\` and \`List\` in every protocol, \`Watch\` in gRPC over
HTTP/2. The empty name stands for all services, as in \`GET /readyz\`; ingestion is available even while the store is not. Server
reflection, \`grpc.reflection.v1\` and \`v1alpha\`, describes the interface over HTTP/2, so \`grpcurl\` and similar tools need
no .proto files. Neither needs a credential.

## Errors

An error is JSON with a \`code\`, a \`message\` that is safe to show, and \`details\`: \`google.rpc.ErrorInfo\` with a stable
\`reason\`, \`google.rpc.RequestInfo\` with the request id, which is also in the header \`x-request-id\`, and, where fields break
rules, \`google.rpc.BadRequest\` with each of them. Every method to which a row applies can return these:

| code | reason | when |
|---|---|---|
${reasons.join('\n')}
`
}

/** Messages and enums that are not the request or the response of one method. */
function renderTypes(contract: Interface): string {
  const methods = contract.services.flatMap((service) => service.methods)
  const ends = methods.flatMap(({ input, output }) => [input, output])
  const sections = listTypes(ends).map((type) => {
    const body = type.kind === 'message' ? renderMessage(contract, type) : renderEnum(contract, type)
    return `## ${type.typeName}\n\n${contract.commentOf(type)}\n\n${body}`
  })
  return `# Types\n\n${GENERATED}\n\nMessages and enums inside requests and responses.\n\n${sections.join('\n')}`
}
