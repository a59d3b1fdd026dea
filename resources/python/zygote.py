# A warm Python: imports once, then forks a process for each job that the launcher sends. Runs inside the containment.
# Descriptor 3 is the launcher's socket. A request is a length (4 bytes) and strings that end with NUL: script, folder,
# CPU seconds, niceness, NAME=value...; three descriptors come with it. The answers are lines: "started PID", then
# "ended STATUS CPU_US PEAK_KB".
import array, ctypes, gc, os, resource, signal, socket, struct, sys, traceback, types
# What scripts usually begin with; a fork has it for nothing.
import base64, collections, contextlib, copy, csv, datetime, functools, glob, hashlib, io, itertools, json, linecache
import logging, math, operator, pathlib, random, re, shutil, string, subprocess, tempfile, textwrap, threading, time
import typing, urllib.parse, uuid, atexit

PR_SET_DUMPABLE = 4
prctl = ctypes.CDLL(None).prctl


def dumpable(on):
    prctl(PR_SET_DUMPABLE, on, 0, 0, 0)


def receive(link, count):
    data = b''
    while len(data) < count:
        more = link.recv(count - len(data))
        if not more:
            os._exit(0)
        data += more
    return data


def request(link):
    rights = array.array('i')
    head, control, flags, address = link.recvmsg(4, socket.CMSG_SPACE(3 * rights.itemsize))
    if not head:
        os._exit(0)
    for level, kind, data in control:
        if level == socket.SOL_SOCKET and kind == socket.SCM_RIGHTS:
            rights.frombytes(data[:len(data) - len(data) % rights.itemsize])
    head += receive(link, 4 - len(head))
    words = receive(link, struct.unpack('=I', head)[0]).split(b'\0')[:-1]
    return list(rights), words


def surroundings(rights, folder, seconds, niceness, variables):
    os.setpgid(0, 0)
    for target, fd in enumerate(rights):
        os.dup2(fd, target)
    os.closerange(3, 64)
    os.environb.clear()
    for variable in variables:
        name, _, value = variable.partition(b'=')
        os.environb[name] = value
    os.chdir(folder)
    seconds = int(seconds)
    if seconds:
        resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 5))
    for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT):
        signal.signal(number, signal.SIG_DFL)
    signal.signal(signal.SIGINT, signal.default_int_handler)
    dumpable(1)
    tempfile.tempdir = None


def show(kind, value, trace):
    # The script's own frames only; their line numbers are the script's.
    while trace is not None and trace.tb_frame.f_code.co_filename == __zygote__:
        trace = trace.tb_next
    if kind is SyntaxError or trace is not None:
        value = value.with_traceback(trace)
    sys.excepthook(kind, value, trace)


def exit_code(stop):
    if stop.code is None:
        return 0
    if isinstance(stop.code, int):
        return stop.code & 0xff
    print(stop.code, file=sys.stderr)
    return 1


def finish(module):
    # As an interpreter ends: threads, atexit, open files, then the streams.
    threading._shutdown()
    atexit._run_exitfuncs()
    module.__dict__.clear()
    gc.collect()
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except (OSError, ValueError, AttributeError):
            pass


def run(script):
    path = os.fsdecode(script)
    module = types.ModuleType('__main__')
    module.__file__ = path
    module.__builtins__ = __builtins__
    sys.modules['__main__'] = module
    sys.argv[:] = [path]
    sys.path[0] = os.path.dirname(path)
    code = 0
    try:
        with open(path, 'rb') as file:
            text = file.read()
        exec(compile(text, path, 'exec', dont_inherit=True), module.__dict__)
    except SystemExit as stop:
        code = exit_code(stop)
    except KeyboardInterrupt:
        show(*sys.exc_info())
        signal.signal(signal.SIGINT, signal.SIG_DFL)
        os.kill(os.getpid(), signal.SIGINT)
    except BaseException:
        show(*sys.exc_info())
        code = 1
    try:
        finish(module)
    except SystemExit as stop:
        code = exit_code(stop)
    except BaseException:
        show(*sys.exc_info())
    os._exit(code)


def serve():
    link = socket.socket(fileno=3)
    dumpable(0)
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP, signal.SIGQUIT):
        signal.signal(number, signal.SIG_IGN)
    gc.collect()
    gc.freeze()
    while True:
        rights, words = request(link)
        script, folder, seconds, niceness, *variables = words
        pid = os.fork()
        if pid == 0:
            link.detach()
            os.close(3)
            surroundings(rights, folder, seconds, niceness, variables)
            run(script)
        for fd in rights:
            os.close(fd)
        link.sendall(b'started %d\n' % pid)
        _, status, usage = os.wait4(pid, 0)
        cpu = int((usage.ru_utime + usage.ru_stime) * 1000000)
        link.sendall(b'ended %d %d %d\n' % (status, cpu, usage.ru_maxrss))


__zygote__ = serve.__code__.co_filename
serve()
