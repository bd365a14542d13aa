import { BaseSequencer, type TestSpecification } from 'vitest/node'

const OF_SERVICES = /\/test\/(http|product)\//

/**
 * Runs the tests that start programs and browsers first, and those of services on PostgreSQL last.
 * The last files of a run are then quick, and no core waits for another one.
 */
export class SlowFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const place = ({ project, moduleId }: TestSpecification) =>
      project.name === 'postgres' ? 2 : Number(OF_SERVICES.test(moduleId))
    return (await super.sort(files)).toSorted((a, b) => place(a) - place(b))
  }
}
