// The roles and their specs.
import type { Role } from "../../core/run.ts";
import { auditVerifier } from "./audit-verifier.ts";
import { auditor } from "./auditor.ts";
import { builder } from "./builder.ts";
import { designer } from "./designer.ts";
import { evaluator, testVerifier } from "./evaluator.ts";
import { examiner } from "./examiner.ts";
import { planVerifier } from "./plan-verifier.ts";
import { planner } from "./planner.ts";
import type { RoleSpec } from "./role.ts";
import { skeptic } from "./skeptic.ts";
import { tester } from "./tester.ts";

export const roles: Readonly<Record<Role, RoleSpec>> = {
  planner,
  "plan-verifier": planVerifier,
  skeptic,
  examiner,
  designer,
  builder,
  evaluator,
  tester,
  "test-verifier": testVerifier,
  auditor,
  "audit-verifier": auditVerifier,
};
