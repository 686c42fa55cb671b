// The roles that this version can fill. A contract that asks for others is refused before it begins.
import type { Role } from "../../core/run.ts";
import { builder } from "./builder.ts";
import { evaluator } from "./evaluator.ts";
import type { RoleSpec } from "./role.ts";

export const roles: Partial<Record<Role, RoleSpec>> = { builder, evaluator };
export const stagesBuilt: readonly string[] = ["implement"];
