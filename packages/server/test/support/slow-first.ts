import { BaseSequencer, type TestSpecification } from 'vitest/node'

/**
 * Runs the tests that start programs and browsers first, and those of services on PostgreSQL last.
 * The last files of a run are then quick, and no core waits for another one.
 */
export class SlowFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const order = ['unit', 'sqlite', 'postgres']
    const place = ({ project }: TestSpecification) => order.indexOf(project.name)
    return (await super.sort(files)).toSorted((a, b) => place(a) - place(b))
  }
}
