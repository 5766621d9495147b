import { AnnotationsService } from '@contract/millrace/library/v1/annotations_service_pb.js'
import { clientOf } from '../rpc/client.ts'

// Apart from the dialog, which loads when it is opened.

/** Calls of the service of annotations. */
export const annotationsClient = clientOf(AnnotationsService)

/** The key of the cached annotations of a project. */
export function annotationsKey(projectId: string): readonly string[] {
  return ['annotations', projectId]
}
