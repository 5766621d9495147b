import { createClient } from '@connectrpc/connect'
import { ProjectsService } from '@contract/dashboard/projects/v1/projects_service_pb.js'
import { transport } from '../transport.ts'

/** Projects and their keys. */
export const projectsClient = createClient(ProjectsService, transport)
