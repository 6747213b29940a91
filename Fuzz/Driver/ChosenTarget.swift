import FuzzTargets
import Glibc

/// The target that the variable `FUZZ_TARGET` names.
let chosenTarget: FuzzTarget = {
    let name = getenv("FUZZ_TARGET").map { String(cString: $0) } ?? ""
    guard let target = FuzzTarget(rawValue: name) else {
        print("FUZZ_TARGET names none of: \(FuzzTarget.allCases.map(\.rawValue).joined(separator: ", "))")
        exit(2)
    }
    return target
}()
