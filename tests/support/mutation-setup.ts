// Before each test file of a mutation run: a failing property is enough, so shrinking is off.
import fc from "fast-check";

fc.configureGlobal({ ...fc.readConfigureGlobal(), endOnFailure: true });
